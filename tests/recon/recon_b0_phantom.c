/* SPDX-License-Identifier: BSD-3-Clause */
/* The real poorly shimmed phantom (spiral, 54 shots, 20 coils, field to +-720 Hz): conjugate-phase images
 * against the independent ones, and the sign of the field: with coil maps estimated by each run itself, the
 * right sign leaves the smaller residual. (That correction lowers the residual against no correction is not
 * asserted: on these data it need not, as maps estimated from a distorted image fit the distortion.) */
#include "real.h"

static argand_scan *read_phantom(void)
{
    char path[4096];
    argand_scan *scan;
    if (!have_data("spiral_b0_phantom/spiral_b0_phantom.h5", path, sizeof path)) return NULL;
    OK(argand_scan_read(&scan, path, NULL));
    return scan;
}

/* A scan's real array as a device array of the given shape. */
static argand_array *scan_map(const argand_scan *scan, const char *name, int rank, const int64_t *dims)
{
    const argand_scan_array *found = argand_scan_find(scan, name);
    argand_array *array;
    assert_non_null(found);
    assert_int_equal(found->type, ARGAND_R32);
    OK(argand_array_create(&array, device, ARGAND_R32, rank, dims));
    OK(argand_array_upload(array, found->data));
    return array;
}

/* All acquisitions one behind the other: k, t {samples}, y {samples, coils} times the density weights. */
typedef struct points {
    argand_array *k[2], *t, *y;
} points;

static points gather(const argand_scan *scan)
{
    points p;
    int64_t total = 0;
    const int coils = scan->channels;
    for (int64_t a = 0; a < scan->acquisition_count; a++) total += scan->acquisitions[a].samples;
    float *k[2] = {malloc((size_t)total * 4), malloc((size_t)total * 4)}, *t = malloc((size_t)total * 4);
    float *y = malloc((size_t)total * (size_t)coils * 8);
    const float *weights = argand_scan_find(scan, "DensityCompensation")->data;
    int64_t j = 0;
    for (int64_t a = 0; a < scan->acquisition_count; a++)
        for (int64_t i = 0; i < scan->acquisitions[a].samples; i++, j++) {
            const argand_acquisition *q = &scan->acquisitions[a];
            for (int axis = 0; axis < 2; axis++) k[axis][j] = q->k[axis][i];
            t[j] = q->t[i];
            for (int c = 0; c < coils; c++)
                for (int part = 0; part < 2; part++)
                    y[2 * (j + total * c) + part] = weights[j] * q->data[2 * (i + q->samples * c) + part];
        }
    for (int axis = 0; axis < 2; axis++) {
        OK(argand_array_create(&p.k[axis], device, ARGAND_R32, 1, &total));
        OK(argand_array_upload(p.k[axis], k[axis]));
        free(k[axis]);
    }
    OK(argand_array_create(&p.t, device, ARGAND_R32, 1, &total));
    OK(argand_array_upload(p.t, t));
    OK(argand_array_create(&p.y, device, ARGAND_C32, 2, (int64_t[]){total, coils}));
    OK(argand_array_upload(p.y, y));
    free(t);
    free(y);
    return p;
}

/* root sum of squares of the coils' conjugate-phase images */
static argand_array *conjugate_phase(const argand_scan *scan, const points *p, const char *map)
{
    argand_field *plan;
    argand_array *images, *rss, *field = map ? scan_map(scan, map, 2, (int64_t[]){192, 192}) : NULL;
    OK(argand_field_create(&plan, device,
                           &(argand_field_options){.type = ARGAND_C32,
                                                   .rank = 2,
                                                   .n = {192, 192},
                                                   .k = {p->k[0], p->k[1]},
                                                   .t = p->t,
                                                   .field_map = field}));
    OK(argand_array_create(&images, device, ARGAND_C32, 3, (int64_t[]){192, 192, scan->channels}));
    OK(argand_array_create(&rss, device, ARGAND_R32, 2, (int64_t[]){192, 192}));
    OK(argand_field_adjoint(plan, images, p->y));
    OK(argand_coils_rss(rss, images));
    argand_field_destroy(plan);
    argand_array_destroy(images);
    argand_array_destroy(field);
    return rss;
}

static void conjugate_phase_images(void **state)
{
    (void)state;
    static const char *const cases[3][2] = {
        {NULL, "spiral_b0_phantom/spiral_b0_phantom_ref_rss_uncorrected.npy"},
        {"FieldMap", "spiral_b0_phantom/spiral_b0_phantom_ref_rss_corrected.npy"},
        {"FieldMapFilled", "spiral_b0_phantom/spiral_b0_phantom_ref_rss_corrected_filledmap.npy"}};
    argand_scan *scan = read_phantom();
    if (!scan) skip();
    points p = gather(scan);
    for (int i = 0; i < 3; i++) {
        DATA_OR_SKIP(cases[i][1], reference);
        argand_array *rss = conjugate_phase(scan, &p, cases[i][0]);
        const double error = distance_to_file(rss, reference);
        printf("conjugate phase, %s: %.1e from the reference\n", cases[i][0] ? cases[i][0] : "no map", error);
        CHECK_BELOW(error, 1e-4);
        argand_array_destroy(rss);
    }
    argand_array_destroy(p.k[0]);
    argand_array_destroy(p.k[1]);
    argand_array_destroy(p.t);
    argand_array_destroy(p.y);
    argand_scan_destroy(scan);
}

static double residual_with(const argand_scan *scan, const argand_array *map)
{
    record got = {.last = 0};
    argand_array *image;
    run_session(scan,
                &(argand_sense_options){.type = ARGAND_C32,
                                        .iterations = 5,
                                        .density = ARGAND_DENSITY_FILE,
                                        .calibration = 1,
                                        .field_map = map},
                &got, &image);
    argand_array_destroy(image);
    return got.residual[5];
}

/* The table of the independent reconstruction, whose maps come from the whole of k-space too, has 0.1000 and
 * 0.1145 at iteration 5. */
static void right_sign_of_the_field_beats_the_wrong_one(void **state)
{
    (void)state;
    argand_scan *scan = read_phantom();
    if (!scan) skip();
    argand_array *map = scan_map(scan, "FieldMapFilled", 2, (int64_t[]){192, 192});
    const double right = residual_with(scan, map);
    OK(argand_array_scale(map, (argand_scalar){-1, 0}));
    const double wrong = residual_with(scan, map);
    printf("residual after 5 iterations: right sign %.4f, wrong sign %.4f\n", right, wrong);
    CHECK_BELOW(1.1 * right, wrong);
    argand_array_destroy(map);
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(conjugate_phase_images),
    cmocka_unit_test(right_sign_of_the_field_beats_the_wrong_one),
};
RUN_TESTS(tests)
