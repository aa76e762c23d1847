/* SPDX-License-Identifier: BSD-3-Clause */
/* ESPIRiT on real scans: whether maps explain the coils' images. */
#include "harness.h"

/* Of the images' energy at pixels with maps: what the maps do not explain. all: at all pixels. */
static void explain(const argand_array *images, const argand_array *maps, double *inside, double *rest,
                    double *all)
{
    const int64_t coils = argand_array_dim(images, 2), pixels = argand_array_count(images) / coils;
    double complex *v = (double complex *)as_doubles(images), *s = (double complex *)as_doubles(maps);
    *inside = *rest = *all = 0;
    for (int64_t i = 0; i < pixels; i++) {
        double complex product = 0;
        double square = 0, energy = 0;
        for (int64_t c = 0; c < coils; c++) {
            product += conj(s[c * pixels + i]) * v[c * pixels + i];
            square += pow(cabs(s[c * pixels + i]), 2);
            energy += pow(cabs(v[c * pixels + i]), 2);
        }
        *all += energy;
        if (square < 0.5) continue;
        *inside += energy;
        *rest += energy - pow(cabs(product), 2);
    }
    free(s);
    free(v);
}

/* A real scan: 8 coils, undersampled, a dense centre. The maps explain the low resolution images. */
static void real_brain(void **state)
{
    (void)state;
    const char *path = test_data("cartesian_brain/cartesian_ksp.npy");
    if (!path) skip();
    argand_array *kspace, *images, *maps;
    argand_fft *plan;
    argand_espirit_report report;
    int64_t region[3];
    OK(argand_array_read(&kspace, path, device));
    const int64_t dims[3] = {180, 230, 8};
    for (int d = 0; d < 3; d++) assert_int_equal(argand_array_dim(kspace, d), dims[d]);
    OK(argand_calibration_region(region, kspace, 0));
    printf("fully sampled centre: %d x %d\n", (int)region[0], (int)region[1]);
    OK(argand_array_create(&maps, device, ARGAND_C32, 3, dims));
    OK(argand_coils_espirit(maps, NULL, kspace, NULL, &report));
    printf("patches %d, rank %d, kept %.3f\n", (int)report.patches, (int)report.rank, report.inside);
    OK(argand_array_create(&images, device, ARGAND_C32, 3, dims));
    /* images of the fully sampled centre alone */
    argand_array *from[2], *to[2];
    OK(argand_array_part(&from[0], kspace, 0, 90 - region[0] / 2, region[0]));
    OK(argand_array_part(&from[1], from[0], 1, 115 - region[1] / 2, region[1]));
    OK(argand_array_part(&to[0], images, 0, 90 - region[0] / 2, region[0]));
    OK(argand_array_part(&to[1], to[0], 1, 115 - region[1] / 2, region[1]));
    OK(argand_array_copy(to[1], from[1]));
    OK(argand_fft_create(
        &plan, device,
        &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {180, 230}, .batch = 8, .centred = true}));
    OK(argand_fft_apply(plan, images, images, ARGAND_INVERSE));
    double inside, rest, all;
    explain(images, maps, &inside, &rest, &all);
    printf("part of the energy inside that the maps leave: %.5f\n", rest / inside);
    CHECK_BELOW(rest, 0.01 * inside);
    CHECK_BELOW(0.2, report.inside);
    CHECK_BELOW(report.inside, 0.9);
    argand_fft_destroy(plan);
    for (int d = 0; d < 2; d++) {
        argand_array_destroy(from[d]);
        argand_array_destroy(to[d]);
    }
    argand_array_destroy(images);
    argand_array_destroy(maps);
    argand_array_destroy(kspace);
}

/* The scan's first slice as coil images: gridded with Pipe and Menon's weights. */
static argand_array *gridded(const argand_scan *scan)
{
    int64_t points = 0, at = 0;
    const int64_t *n = scan->encodings[0].matrix, coils = scan->channels;
    for (int64_t i = 0; i < scan->acquisition_count; i++) points += scan->acquisitions[i].samples;
    float *k[2], *y = malloc((size_t)(2 * points * coils) * sizeof *y);
    for (int d = 0; d < 2; d++) k[d] = malloc((size_t)points * sizeof *k[d]);
    for (int64_t i = 0; i < scan->acquisition_count; at += scan->acquisitions[i++].samples) {
        const argand_acquisition *a = &scan->acquisitions[i];
        for (int d = 0; d < 2; d++) memcpy(k[d] + at, a->k[d], (size_t)a->samples * sizeof(float));
        for (int64_t c = 0; c < coils; c++)
            memcpy(y + 2 * (c * points + at), a->data + 2 * c * a->samples,
                   (size_t)(2 * a->samples) * sizeof(float));
    }
    argand_array *positions[2], *samples, *weights, *images;
    argand_nufft *plan;
    for (int d = 0; d < 2; d++) {
        OK(argand_array_create(&positions[d], device, ARGAND_R32, 1, &points));
        OK(argand_array_upload(positions[d], k[d]));
        free(k[d]);
    }
    OK(argand_array_create(&samples, device, ARGAND_C32, 2, (const int64_t[2]){points, coils}));
    OK(argand_array_upload(samples, y));
    free(y);
    OK(argand_array_create(&weights, device, ARGAND_R32, 1, &points));
    OK(argand_array_create(&images, device, ARGAND_C32, 3, (const int64_t[3]){n[0], n[1], coils}));
    OK(argand_nufft_create(
        &plan, device,
        &(argand_nufft_options){.type = ARGAND_C32, .rank = 2, .n = {n[0], n[1]}, .tolerance = 1e-3}));
    OK(argand_nufft_set_points(plan, positions));
    OK(argand_density_pipe(weights, plan, 0, 0, NULL));
    OK(argand_gridding(NULL, images, plan, samples, weights));
    argand_nufft_destroy(plan);
    argand_array_destroy(weights);
    argand_array_destroy(samples);
    for (int d = 0; d < 2; d++) argand_array_destroy(positions[d]);
    return images;
}

/* Only the central KEPT x KEPT of the images' k-space: without most of the noise. */
static void lower_resolution(argand_array *images)
{
    enum { KEPT = 48 };
    const int64_t n[2] = {argand_array_dim(images, 0), argand_array_dim(images, 1)};
    argand_fft *plan;
    OK(argand_fft_create(&plan, device,
                         &(argand_fft_options){.type = ARGAND_C32,
                                               .rank = 2,
                                               .n = {n[0], n[1]},
                                               .batch = argand_array_dim(images, 2),
                                               .centred = true}));
    OK(argand_fft_apply(plan, images, images, ARGAND_FORWARD));
    for (int axis = 0; axis < 2; axis++) {
        const int64_t first = n[axis] / 2 - KEPT / 2,
                      ends[2][2] = {{0, first}, {first + KEPT, n[axis] - first - KEPT}};
        for (int end = 0; end < 2; end++) {
            argand_array *part;
            OK(argand_array_part(&part, images, axis, ends[end][0], ends[end][1]));
            OK(argand_array_fill(part, (argand_scalar){0, 0}));
            argand_array_destroy(part);
        }
    }
    OK(argand_fft_apply(plan, images, images, ARGAND_INVERSE));
    argand_fft_destroy(plan);
}

/* Twenty coils and a spiral whose field is far off: distorted images, but of smooth coils. The maps explain
 * images of twice the resolution that they were made from. */
static void real_spiral(void **state)
{
    (void)state;
    const char *path = test_data("spiral_b0_phantom/spiral_b0_phantom.h5");
    if (!path) skip();
    argand_scan *scan;
    argand_array *maps;
    argand_espirit_report report;
    OK(argand_scan_read(&scan, path, NULL));
    argand_array *images = gridded(scan);
    const int64_t nx = argand_array_dim(images, 0), ny = argand_array_dim(images, 1),
                  coils = argand_array_dim(images, 2);
    OK(argand_array_create(&maps, device, ARGAND_C32, 3, (const int64_t[3]){nx, ny, coils}));
    OK(argand_coils_espirit(maps, NULL, images, &(argand_espirit_options){.images = true}, &report));
    lower_resolution(images);
    double inside, rest, all;
    explain(images, maps, &inside, &rest, &all);
    printf("spiral phantom: rank %d, kept %.3f with %.4f of the energy, %.4f of it not explained\n",
           (int)report.rank, report.inside, inside / all, rest / inside);
    CHECK_BELOW(0.95 * all, inside);
    CHECK_BELOW(rest, 0.05 * inside);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(real_brain), cmocka_unit_test(real_spiral)};
RUN_TESTS(tests)
