/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated signals against analytic k-space, and a whole scan from simulation to image. */
#include "harness.h"

static const double pi = 3.14159265358979323846;

typedef struct path {
    argand_array *k[3], *t;
    int64_t samples;
    int rank;
} path;

static path make_path(argand_type real, argand_trajectory_options options)
{
    path p = {.rank = options.n[2] > 1 ? 3 : 2};
    OK(argand_trajectory_make(p.k, &p.t, device, real, &options));
    p.samples = argand_array_count(p.t);
    return p;
}

static void free_path(path *p)
{
    for (int d = 0; d < p->rank; d++) argand_array_destroy(p->k[d]);
    argand_array_destroy(p->t);
}

static argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

/* A uniform coil in a constant field: analytic k-space multiplied by exp(-i w t). */
static void constant_field(void **state)
{
    (void)state;
    enum { N = 64 };
    const double omega = 2 * pi * 60;
    path p =
        make_path(ARGAND_R64, (argand_trajectory_options){.kind = ARGAND_SPIRAL, .n = {N, N}, .echo = 0.002});
    argand_array *image = new_array(ARGAND_R64, 2, (const int64_t[2]){3 * N, 3 * N});
    argand_array *map = new_array(ARGAND_R64, 2, (const int64_t[2]){3 * N, 3 * N});
    argand_array *got = new_array(ARGAND_C64, 1, &p.samples), *truth = new_array(ARGAND_C64, 1, &p.samples);
    OK(argand_phantom_image(image, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_array_fill(map, (argand_scalar){omega, 0}));
    OK(argand_phantom_kspace(truth, ARGAND_SHEPP_LOGAN_2D, p.k, N * N));
    double complex *exact = (double complex *)as_doubles(truth);
    double *t = as_doubles(p.t);
    for (int with_field = 0; with_field < 2; with_field++) { /* the NUFFT, then the exact DFT */
        argand_simulation s = {.image = image,
                               .field_map = with_field ? map : NULL,
                               .k = {p.k[0], p.k[1]},
                               .t = p.t,
                               .n = {N, N}};
        OK(argand_simulate(got, &s));
        double *values = as_doubles(got);
        if (with_field)
            for (int64_t j = 0; j < p.samples; j++) exact[j] *= cexp(-I * omega * t[j]);
        const double error = relative_error(values, (const double *)exact, 2 * (size_t)p.samples);
        printf("%s: %.2e\n", with_field ? "field" : "no field", error);
        /* edges divided 16 times a pixel on 192^2 pixels, and aliases of the transform, which falls like
         * k^-1.5, from k = 160 and beyond: 3e-3 of what it is at k = 1 to 5 */
        CHECK_BELOW(error, 3e-3);
        free(values);
    }
    free(t);
    free(exact);
    argand_array_destroy(truth);
    argand_array_destroy(got);
    argand_array_destroy(map);
    argand_array_destroy(image);
    free_path(&p);
}

/* |a - b| / |b| of a complex image against a real one, where the real one is not 0. */
static double image_error(const argand_array *image, const argand_array *truth)
{
    double complex *x = (double complex *)as_doubles(image);
    double *m = as_doubles(truth), difference = 0, norm = 0;
    for (int64_t i = 0; i < argand_array_count(truth); i++)
        if (m[i] > 0) {
            difference += pow(cabs(x[i] - m[i]), 2);
            norm += m[i] * m[i];
        }
    free(m);
    free(x);
    return sqrt(difference / norm);
}

enum { N = 64, COILS = 4 };

/* Ten iterations of SENSE through the exact DFT with (or, map NULL, without) the field map. */
static double reconstruct(const argand_array *y, const path *p, const argand_array *maps,
                          const argand_array *map, const argand_array *truth)
{
    argand_field *plan;
    argand_op *transform, *sense;
    argand_array *x = new_array(ARGAND_C32, 2, (const int64_t[2]){N, N});
    OK(argand_field_create(&plan, device,
                           &(argand_field_options){.type = ARGAND_C32,
                                                   .rank = 2,
                                                   .n = {N, N},
                                                   .k = {p->k[0], p->k[1]},
                                                   .t = map ? p->t : NULL,
                                                   .field_map = map}));
    OK(argand_op_field(&transform, device, plan, COILS));
    OK(argand_op_sense(&sense, transform, maps));
    OK(argand_solve_cg(x, sense, y, &(argand_cg_options){.iterations = 10}));
    const double error = image_error(x, truth);
    argand_op_destroy(sense);
    argand_op_destroy(transform);
    argand_array_destroy(x);
    return error;
}

/* The same head, coils, trajectory and noise with a field of +-range. Returns the errors with and, if wanted,
 * without correction. */
static void scan(double range, double *corrected, double *uncorrected)
{
    const int64_t fine[3] = {2 * N, 2 * N, COILS}, coarse[3] = {N, N, COILS};
    path p =
        make_path(ARGAND_R32, (argand_trajectory_options){.kind = ARGAND_SPIRAL, .n = {N, N}, .echo = 0.002});
    argand_array *image = new_array(ARGAND_R32, 2, fine), *truth = new_array(ARGAND_R32, 2, coarse);
    argand_array *fine_map = new_array(ARGAND_R32, 2, fine), *map = new_array(ARGAND_R32, 2, coarse);
    argand_array *fine_coils = new_array(ARGAND_C32, 3, fine), *coils = new_array(ARGAND_C32, 3, coarse);
    argand_array *y = new_array(ARGAND_C32, 2, (const int64_t[2]){p.samples, COILS});
    OK(argand_phantom_image(image, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_phantom_image(truth, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_fieldmap_head(fine_map, range));
    OK(argand_fieldmap_head(map, range));
    OK(argand_coils_birdcage(fine_coils));
    OK(argand_coils_birdcage(coils));
    argand_simulation s = {.image = image,
                           .coil_maps = fine_coils,
                           .field_map = fine_map,
                           .k = {p.k[0], p.k[1]},
                           .t = p.t,
                           .n = {N, N}};
    OK(argand_simulate(y, &s));
    OK(argand_noise_add(y, 0.25 * sqrt((double)p.samples) / 50, 7));
    *corrected = reconstruct(y, &p, coils, range > 0 ? map : NULL, truth);
    if (uncorrected) *uncorrected = reconstruct(y, &p, coils, NULL, truth);
    argand_array_destroy(y);
    argand_array_destroy(coils);
    argand_array_destroy(fine_coils);
    argand_array_destroy(map);
    argand_array_destroy(fine_map);
    argand_array_destroy(truth);
    argand_array_destroy(image);
    free_path(&p);
}

/* What 64^2 pixels of k-space show of the head at best, the edges' ringing, is measured without a field. The
 * corrected image of a scan in the field may lose a quarter more, to the field's variation within a pixel;
 * the uncorrected one, with phases of up to 150 Hz x 20 ms = 3 turns, is off by more than half of the image.
 */
static void simulate_and_reconstruct(void **state)
{
    (void)state;
    double ideal, corrected, uncorrected;
    scan(0, &ideal, NULL);
    scan(2 * pi * 150, &corrected, &uncorrected);
    printf("relative error: no field %.4f; corrected %.4f; uncorrected %.4f\n", ideal, corrected,
           uncorrected);
    CHECK_BELOW(ideal, 0.15);
    CHECK_BELOW(corrected, 1.25 * ideal);
    assert_true(uncorrected > 0.5);
}

static void noise(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    const int64_t count = COUNT;
    argand_array *a = new_array(ARGAND_C64, 1, &count), *b = new_array(ARGAND_C64, 1, &count);
    OK(argand_noise_add(a, 3, 11));
    OK(argand_noise_add(b, 3, 11));
    double *x = as_doubles(a), *y = as_doubles(b), mean = 0, square[2] = {0, 0}, product = 0;
    assert_memory_equal(x, y, sizeof(double) * 2 * COUNT);
    for (int i = 0; i < COUNT; i++) {
        mean += (x[2 * i] + x[2 * i + 1]) / (2.0 * COUNT);
        square[0] += x[2 * i] * x[2 * i] / COUNT;
        square[1] += x[2 * i + 1] * x[2 * i + 1] / COUNT;
        product += x[2 * i] * x[2 * i + 1] / COUNT;
    }
    /* five standard errors: of a mean 3 / sqrt(2 count), of a variance 9 sqrt(2 / count), of a product 9 /
     * sqrt(count) */
    CHECK_BELOW(fabs(mean), 5 * 3 / sqrt(2.0 * COUNT));
    CHECK_BELOW(fabs(square[0] - 9), 5 * 9 * sqrt(2.0 / COUNT));
    CHECK_BELOW(fabs(square[1] - 9), 5 * 9 * sqrt(2.0 / COUNT));
    CHECK_BELOW(fabs(product), 5 * 9 / sqrt(COUNT));
    OK(argand_noise_add(b, 3, 12));
    free(y);
    y = as_doubles(b);
    assert_true(y[0] != 2 * x[0]); /* another seed, other noise */
    FAILS(argand_noise_add(a, -1, 0), ARGAND_ARGUMENT, "0 or more");
    free(y);
    free(x);
    argand_array_destroy(b);
    argand_array_destroy(a);
}

static void refusals(void **state)
{
    (void)state;
    const int64_t n[3] = {8, 8, 2}, count = 10;
    argand_array *image = new_array(ARGAND_R32, 2, n), *maps = new_array(ARGAND_C32, 3, n),
                 *k = new_array(ARGAND_R32, 1, &count);
    argand_array *one = new_array(ARGAND_C32, 1, &count),
                 *two = new_array(ARGAND_C32, 2, (const int64_t[2]){10, 2});
    argand_simulation s = {.image = image, .coil_maps = maps, .k = {k, k}, .n = {4, 4}};
    FAILS(argand_simulate(one, &s), ARGAND_ARGUMENT, "5 elements");
    s.field_map = image;
    FAILS(argand_simulate(two, &s), ARGAND_ARGUMENT, "t must be real");
    s.t = k;
    s.field_map = k;
    FAILS(argand_simulate(two, &s), ARGAND_ARGUMENT, "field map must be real with 64");
    s.n[1] = 0;
    FAILS(argand_simulate(two, &s), ARGAND_ARGUMENT, "axis 1");
    FAILS(argand_simulate(k, &s), ARGAND_ARGUMENT, "");
    argand_array_destroy(two);
    argand_array_destroy(one);
    argand_array_destroy(k);
    argand_array_destroy(maps);
    argand_array_destroy(image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(constant_field),
    cmocka_unit_test(simulate_and_reconstruct),
    cmocka_unit_test(noise),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
