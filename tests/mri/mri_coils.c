/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps: what birdcage makes, estimate finds again in images; the root of the sum of squares has the
 * square. */
#include "harness.h"
#include "base/memory.h"

static argand_array *birdcage(argand_type type, int rank, const int64_t *dims)
{
    argand_array *maps;
    OK(argand_array_create(&maps, device, type, rank, dims));
    OK(argand_coils_birdcage(maps));
    return maps;
}

static void birdcage_is_normalised_and_smooth(void **state)
{
    (void)state;
    const int64_t shapes[][4] = {
        {40, 33, 1, 1}, {40, 33, 1, 8}, {24, 20, 12, 8}, {16, 16, 8, 5}, {32, 32, 1, 32}};
    for (int s = 0; s < 5; s++) {
        const int64_t *n = shapes[s], pixels = n[0] * n[1] * n[2];
        argand_array *array = birdcage(ARGAND_C64, 4, n);
        double complex *maps = (double complex *)as_doubles(array);
        double step = 0, alike = 0;
        for (int64_t i = 0; i < pixels; i++) {
            double square = 0;
            for (int64_t c = 0; c < n[3]; c++) {
                square += pow(cabs(maps[c * pixels + i]), 2);
                if (i % n[0]) step = fmax(step, cabs(maps[c * pixels + i] - maps[c * pixels + i - 1]));
            }
            CHECK_BELOW(fabs(square - 1), 1e-12);
        }
        CHECK_BELOW(step,
                    8.0 / (double)n[0]);     /* they vary over an eighth of the field of view at the least */
        for (int64_t c = 1; c < n[3]; c++) { /* no two coils see the same */
            double complex product = 0;
            double a = 0, b = 0;
            for (int64_t i = 0; i < pixels; i++) {
                product += conj(maps[i]) * maps[c * pixels + i];
                a += pow(cabs(maps[i]), 2);
                b += pow(cabs(maps[c * pixels + i]), 2);
            }
            alike = fmax(alike, cabs(product) / sqrt(a * b));
        }
        CHECK_BELOW(alike, 0.98);
        free(maps);
        argand_array_destroy(array);
    }
}

/* Coil 0 is at the right (+x): strongest there. The finer grid samples the same maps. */
static void birdcage_is_a_function_of_position(void **state)
{
    (void)state;
    argand_array *a = birdcage(ARGAND_C64, 3, (const int64_t[3]){20, 18, 8});
    argand_array *b = birdcage(ARGAND_C64, 3, (const int64_t[3]){40, 36, 8});
    double complex *coarse = (double complex *)as_doubles(a), *fine = (double complex *)as_doubles(b);
    for (int c = 0; c < 8; c++)
        for (int y = 0; y < 18; y++)
            for (int x = 0; x < 20; x++)
                CHECK_BELOW(cabs(coarse[(c * 18 + y) * 20 + x] - fine[(c * 36 + 2 * y) * 40 + 2 * x]), 1e-13);
    assert_true(cabs(coarse[9 * 20 + 19]) > 2 * cabs(coarse[9 * 20]));
    free(fine);
    free(coarse);
    argand_array_destroy(a);
    argand_array_destroy(b);
}

/* Images of the phantom with some phase of its own, through birdcage maps, with noise of `sigma`. */
static argand_array *coil_images(const argand_array *maps, double sigma)
{
    const int rank = argand_array_rank(maps);
    int64_t dims[4], pixels = 1;
    for (int d = 0; d < rank; d++) dims[d] = argand_array_dim(maps, d);
    for (int d = 0; d + 1 < rank; d++) pixels *= dims[d];
    argand_array *image, *images;
    OK(argand_array_create(&image, device, ARGAND_R64, rank - 1, dims));
    OK(argand_phantom_image(image, rank == 4 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D));
    OK(argand_array_create(&images, device, argand_array_type(maps), rank, dims));
    double *m = as_doubles(image);
    double complex *v = (double complex *)as_doubles(maps);
    random_state state = {3};
    for (int64_t i = 0; i < argand_array_count(maps); i++)
        v[i] = v[i] * m[i % pixels] * cexp(I * 2.0 * (double)(i % pixels) / (double)pixels) +
               sigma * (random_normal(&state) + I * random_normal(&state));
    if (argand_array_type(maps) == ARGAND_C32) {
        float *f = (float *)v;
        for (int64_t i = 0; i < 2 * argand_array_count(maps); i++) {
            double value;
            memcpy(&value, (double *)v + i, sizeof value);
            const float narrow = (float)value;
            memcpy(f + i, &narrow, sizeof narrow);
        }
    }
    OK(argand_array_upload(images, v));
    free(v);
    free(m);
    argand_array_destroy(image);
    return images;
}

/* The angle between estimated and true maps, sqrt(1 - |<S, T>|^2) over |S|, over pixels with signal: the
 * worst and the rms. */
static void angles(const argand_array *estimated, const argand_array *truth, double *worst, double *rms,
                   double *normalised)
{
    const int rank = argand_array_rank(truth);
    const int64_t coils = argand_array_dim(truth, rank - 1), pixels = argand_array_count(truth) / coils;
    double complex *s = (double complex *)as_doubles(estimated), *t = (double complex *)as_doubles(truth);
    argand_array *image;
    int64_t dims[3];
    double count = 0;
    for (int d = 0; d + 1 < rank; d++) dims[d] = argand_array_dim(truth, d);
    OK(argand_array_create(&image, device, ARGAND_R64, rank - 1, dims));
    OK(argand_phantom_image(image, rank == 4 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D));
    double *m = as_doubles(image);
    *worst = *rms = *normalised = 0;
    for (int64_t i = 0; i < pixels; i++) {
        double complex product = 0;
        double square = 0;
        for (int64_t c = 0; c < coils; c++) {
            product += conj(s[c * pixels + i]) * t[c * pixels + i];
            square += pow(cabs(s[c * pixels + i]), 2);
        }
        if (m[i] < 0.1) continue;
        const double angle2 = fmax(0, 1 - pow(cabs(product), 2) / square);
        *worst = fmax(*worst, sqrt(angle2));
        *rms += angle2;
        count++;
        *normalised = fmax(*normalised, fabs(square - 1));
    }
    free(m);
    free(t);
    free(s);
    argand_array_destroy(image);
    *rms = sqrt(*rms / count);
    printf("angle: worst %.4f, rms %.4f\n", *worst, *rms);
}

/* The estimate stands for the centre of the signal within the window: inside that is the pixel itself to
 * second order; at the skull, with signal on one side alone, it is up to 0.8 sigma = 2.4 of 128 pixels
 * inward, where maps that change by 3 per field of view differ by 0.06. Noise adds sigma / (signal
 * sqrt(window's pixels)), below 0.002. */
static void estimate_finds_the_maps(void **state)
{
    (void)state;
    const argand_type types[2] = {ARGAND_C32, ARGAND_C64};
    for (int p = 0; p < 2; p++) {
        argand_array *truth = birdcage(types[p], 3, (const int64_t[3]){128, 120, 8});
        argand_array *images = coil_images(truth, 0.002), *maps;
        double worst, rms, normalised;
        OK(argand_array_create(&maps, device, types[p], 3, (const int64_t[3]){128, 120, 8}));
        OK(argand_coils_estimate(maps, images, 0));
        angles(maps, truth, &worst, &rms, &normalised);
        CHECK_BELOW(worst, 0.08);
        CHECK_BELOW(rms, 0.03);
        CHECK_BELOW(normalised, p ? 1e-12 : 1e-5);
        argand_array_destroy(maps);
        argand_array_destroy(images);
        argand_array_destroy(truth);
    }
}

static void estimate_in_3d(void **state)
{
    (void)state;
    const int64_t dims[4] = {64, 60, 32, 4};
    argand_array *truth = birdcage(ARGAND_C32, 4, dims), *images = coil_images(truth, 0), *maps;
    double worst, rms, normalised;
    OK(argand_array_create(&maps, device, ARGAND_C32, 4, dims));
    OK(argand_coils_estimate(maps, images, 1.5));
    angles(maps, truth, &worst, &rms, &normalised);
    CHECK_BELOW(worst, 0.08);
    CHECK_BELOW(rms, 0.03);
    CHECK_BELOW(normalised, 1e-5);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    argand_array_destroy(truth);
}

/* The maps do not depend on the images' scale, nor on the number of threads; without signal they are 0. */
static void estimate_invariance(void **state)
{
    (void)state;
    const int64_t dims[3] = {32, 31, 3};
    argand_array *truth = birdcage(ARGAND_C32, 3, dims), *images = coil_images(truth, 0), *maps;
    const int threads = argand_device_threads(device);
    OK(argand_array_create(&maps, device, ARGAND_C32, 3, dims));
    OK(argand_coils_estimate(maps, images, 1));
    double *first = as_doubles(maps);
    const double scales[] = {0x1p-40, 0x1p50};
    for (int i = 0; i < 2; i++) {
        OK(argand_array_scale(images, (argand_scalar){scales[i], 0}));
        OK(argand_device_set_threads(device, i + 3));
        OK(argand_coils_estimate(maps, images, 1));
        double *again = as_doubles(maps);
        assert_memory_equal(first, again, sizeof(double) * 2 * 32 * 31 * 3);
        free(again);
    }
    OK(argand_device_set_threads(device, threads));
    assert_true(first[0] == 0 && first[1] == 0); /* the corner is further than the window from the head */
    OK(argand_array_fill(images, (argand_scalar){0, 0}));
    OK(argand_coils_estimate(maps, images, 0));
    double largest;
    OK(argand_array_max_abs(&largest, maps));
    assert_true(largest == 0);
    free(first);
    argand_array_destroy(maps);
    argand_array_destroy(images);
    argand_array_destroy(truth);
}

/* A regression of a known mistake: the sum of squares, not of magnitudes. */
static void rss_has_the_square(void **state)
{
    (void)state;
    argand_array *image, *images;
    const float values[12] = {3, 0, 1e-30f, 0, 0, 0, 0, 4, 1e-30f, 1e-30f, 0, 0};
    OK(argand_array_create(&images, device, ARGAND_C32, 2, (const int64_t[2]){3, 2}));
    OK(argand_array_create(&image, device, ARGAND_R32, 1, (const int64_t[1]){3}));
    OK(argand_array_upload(images, values));
    OK(argand_coils_rss(image, images));
    double *r = as_doubles(image);
    assert_true(r[0] == 5);
    CHECK_BELOW(fabs(r[1] / 1e-30 - sqrt(3)), 1e-6); /* squares of small numbers do not underflow */
    assert_true(r[2] == 0);
    free(r);
    argand_array_destroy(image);
    argand_array_destroy(images);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *a, *b, *real, *flat;
    OK(argand_array_create(&a, device, ARGAND_C32, 3, (const int64_t[3]){4, 4, 2}));
    OK(argand_array_create(&b, device, ARGAND_C32, 3, (const int64_t[3]){4, 5, 2}));
    OK(argand_array_create(&real, device, ARGAND_R64, 2, (const int64_t[2]){4, 4}));
    OK(argand_array_create(&flat, device, ARGAND_C32, 2, (const int64_t[2]){4, 4}));
    FAILS(argand_coils_birdcage(flat), ARGAND_ARGUMENT, "birdcage");
    FAILS(argand_coils_estimate(a, b, 0), ARGAND_ARGUMENT, "dimension 1 is 4");
    FAILS(argand_coils_estimate(a, a, -1), ARGAND_ARGUMENT, "window");
    FAILS(argand_coils_rss(real, a), ARGAND_ARGUMENT, "precision");
    FAILS(argand_coils_rss(real, b), ARGAND_ARGUMENT, "16 pixels");
    OK(argand_array_fill(b, (argand_scalar){NAN, 0}));
    FAILS(argand_coils_estimate(b, b, 0), ARGAND_NUMERIC, "not finite");
    argand_array_destroy(flat);
    argand_array_destroy(real);
    argand_array_destroy(b);
    argand_array_destroy(a);
}

/* Every allocation of an estimate may fail: a status, and nothing leaks (seen by the sanitizer). */
static void no_memory(void **state)
{
    (void)state;
    argand_array *maps = birdcage(ARGAND_C32, 3, (const int64_t[3]){8, 8, 2}), *images = coil_images(maps, 0);
    argand_status status = ARGAND_MEMORY;
    for (long n = 1; status && n < 30; n++) {
        argand_test_fail_allocation(n);
        status = argand_coils_estimate(maps, images, 1);
        if (status) assert_int_equal(status, ARGAND_MEMORY);
    }
    argand_test_fail_allocation(0);
    assert_int_equal(status, ARGAND_OK);
    argand_array_destroy(images);
    argand_array_destroy(maps);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(birdcage_is_normalised_and_smooth),
    cmocka_unit_test(birdcage_is_a_function_of_position),
    cmocka_unit_test(estimate_finds_the_maps),
    cmocka_unit_test(estimate_in_3d),
    cmocka_unit_test(estimate_invariance),
    cmocka_unit_test(rss_has_the_square),
    cmocka_unit_test(refusals),
    cmocka_unit_test(no_memory),
};
RUN_TESTS(tests)
