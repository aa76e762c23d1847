/* SPDX-License-Identifier: BSD-3-Clause */
/* The phantom's image and its analytic transform agree with each other, with the literature's values at known
 * places, and with the orientation that the header states. */
#include "harness.h"

static const double pi = 3.14159265358979323846;

static double sinc(double x)
{
    return fabs(x) < 1e-12 ? 1 : sin(pi * x) / (pi * x);
}

/* sum_n m_n exp(-2 pi i k r_n) divided by the transform of a pixel: what the mean over pixels took from high
 * k. */
static double complex direct_sum(const double *image, const int64_t *n, const double *k)
{
    double complex sum = 0;
    for (int64_t z = 0; z < n[2]; z++)
        for (int64_t y = 0; y < n[1]; y++)
            for (int64_t x = 0; x < n[0]; x++) {
                const double turns = k[0] * (double)(x - n[0] / 2) / (double)n[0] +
                                     k[1] * (double)(y - n[1] / 2) / (double)n[1] +
                                     k[2] * (double)(z - n[2] / 2) / (double)n[2];
                sum += image[(z * n[1] + y) * n[0] + x] * cexp(-2 * pi * I * turns);
            }
    return sum / (sinc(k[0] / (double)n[0]) * sinc(k[1] / (double)n[1]) * sinc(k[2] / (double)n[2]));
}

/* Returns the largest difference over some k, relative to the transform at 0. */
static double compare(argand_phantom phantom, int rank, const int64_t *n, double reach)
{
    enum { COUNT = 40 };
    const int64_t count = COUNT;
    double position[3][COUNT] = {{0}}, worst = 0;
    random_state state = {5};
    argand_array *image, *k[3], *samples;
    OK(argand_array_create(&image, device, ARGAND_R64, rank, n));
    OK(argand_phantom_image(image, phantom));
    for (int d = 0; d < rank; d++)
        for (int j = 1; j < COUNT; j++)
            position[d][j] = reach * (2 * random_uniform(&state) - 1); /* the first is k = 0 */
    for (int d = 0; d < 3; d++) {
        OK(argand_array_create(&k[d], device, ARGAND_R64, 1, &count));
        OK(argand_array_upload(k[d], position[d]));
    }
    OK(argand_array_create(&samples, device, ARGAND_C64, 1, &count));
    OK(argand_phantom_kspace(samples, phantom, k, (double)argand_array_count(image)));
    double *pixels = as_doubles(image), *values = as_doubles(samples);
    for (int j = 0; j < COUNT; j++) {
        const double at[3] = {position[0][j], position[1][j], position[2][j]};
        const double complex sum = direct_sum(pixels, n, at);
        worst = fmax(worst, cabs(sum - (values[2 * j] + I * values[2 * j + 1])) / values[0]);
    }
    assert_true(values[0] > 0);
    free(values);
    free(pixels);
    argand_array_destroy(samples);
    for (int d = 0; d < 3; d++) argand_array_destroy(k[d]);
    argand_array_destroy(image);
    return worst;
}

/* Edge pixels are right to about 1 / (2 x 16^1.5) of a step of at most 1; some 2500 of them with random
 * errors among 256 x 240 pixels of mean 0.12 leave sqrt(2500) x 0.008 / 7400 = 5e-5 rms; 40 values are
 * compared. Aliases are smaller. */
static void kspace_is_the_sum_2d(void **state)
{
    (void)state;
    CHECK_BELOW(compare(ARGAND_SHEPP_LOGAN_2D, 2, (const int64_t[3]){256, 240, 1}, 12), 2e-4);
    CHECK_BELOW(compare(ARGAND_SHEPP_LOGAN_2D, 2, (const int64_t[3]){255, 241, 1}, 12), 2e-4);
}

/* The same with some 20000 edge voxels of 96 x 90 x 80, mean 0.07, each right to 0.02: 141 x 0.02 / 48000 =
 * 6e-5. */
static void kspace_is_the_sum_3d(void **state)
{
    (void)state;
    CHECK_BELOW(compare(ARGAND_SHEPP_LOGAN_3D, 3, (const int64_t[3]){96, 90, 80}, 8), 2e-4);
    CHECK_BELOW(compare(ARGAND_SHEPP_LOGAN_3D, 3, (const int64_t[3]){95, 91, 79}, 8), 2e-4);
}

/* The value at X, Y, Z of the literature (head within [-1, 1], Y up) by the header's rule: y points down. */
static double value_at(const double *image, int64_t n, double x, double y, double z)
{
    const int64_t column = n / 2 + (int64_t)lround(x / 2 * (double)n),
                  row = n / 2 - (int64_t)lround(y / 2 * (double)n);
    const int64_t slice = n / 2 + (int64_t)lround(z / 2 * (double)n);
    return image[(slice * n + row) * n + column];
}

static void known_values(void **state)
{
    (void)state;
    enum { N = 128 };
    const struct {
        double x, y, value;
    } places[] = {
        {0, 0.9, 1},                      /* skull, at the top of the picture */
        {0, 0.35, 0.3},                   /* the large grey ellipse, above the centre */
        {0.22, 0, 0},                     /* the ventricles */
        {-0.22, 0, 0},    {-0.3, 0.3, 0}, /* the left one is longer; they lean outwards at the top */
        {0.3, -0.3, 0.2}, {0.95, 0, 0},   {-0.08, -0.605, 0.3}};
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_R32, 2, (const int64_t[2]){N, N}));
    OK(argand_phantom_image(image, ARGAND_SHEPP_LOGAN_2D));
    double *pixels = as_doubles(image);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        CHECK_BELOW(fabs(value_at(pixels, N, places[i].x, places[i].y, -1) - places[i].value), 1e-6);
    free(pixels);
    argand_array_destroy(image);

    OK(argand_array_create(&image, device, ARGAND_R64, 3, (const int64_t[3]){N, N, N}));
    OK(argand_phantom_image(image, ARGAND_SHEPP_LOGAN_3D));
    pixels = as_doubles(image);
    CHECK_BELOW(fabs(value_at(pixels, N, 0, 0.9, 0) - 1), 1e-12);
    CHECK_BELOW(fabs(value_at(pixels, N, 0, 0.3, -0.4) - 0.3),
                1e-12); /* the grey ellipsoid reaches further down in z */
    CHECK_BELOW(fabs(value_at(pixels, N, 0, 0.3, 0.4) - 0.2), 1e-12);
    free(pixels);
    argand_array_destroy(image);
}

static void complex_images_are_real(void **state)
{
    (void)state;
    argand_array *a, *b;
    OK(argand_array_create(&a, device, ARGAND_R64, 2, (const int64_t[2]){33, 20}));
    OK(argand_array_create(&b, device, ARGAND_C64, 2, (const int64_t[2]){33, 20}));
    OK(argand_phantom_image(a, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_phantom_image(b, ARGAND_SHEPP_LOGAN_2D));
    double *x = as_doubles(a), *y = as_doubles(b);
    for (int i = 0; i < 33 * 20; i++) assert_true(y[2 * i] == x[i] && y[2 * i + 1] == 0);
    free(x);
    free(y);
    argand_array_destroy(a);
    argand_array_destroy(b);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *image, *samples, *k;
    OK(argand_array_create(&image, device, ARGAND_R32, 3, (const int64_t[3]){8, 8, 8}));
    OK(argand_array_create(&samples, device, ARGAND_C32, 1, (const int64_t[1]){8}));
    OK(argand_array_create(&k, device, ARGAND_R32, 1, (const int64_t[1]){7}));
    FAILS(argand_phantom_image(image, ARGAND_SHEPP_LOGAN_2D), ARGAND_ARGUMENT, "dimensions");
    FAILS(argand_phantom_image(image, (argand_phantom)7), ARGAND_ARGUMENT, "number 7");
    FAILS(argand_phantom_image(NULL, ARGAND_SHEPP_LOGAN_2D), ARGAND_ARGUMENT, "image");
    FAILS(argand_phantom_kspace(samples, ARGAND_SHEPP_LOGAN_2D, (argand_array *const[]){k, k}, 1),
          ARGAND_ARGUMENT, "each of the 8 samples");
    FAILS(argand_phantom_kspace(image, ARGAND_SHEPP_LOGAN_2D, (argand_array *const[]){k, k}, 1),
          ARGAND_ARGUMENT, "must be complex");
    argand_array_destroy(k);
    argand_array_destroy(samples);
    argand_array_destroy(image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kspace_is_the_sum_2d),
    cmocka_unit_test(kspace_is_the_sum_3d),
    cmocka_unit_test(known_values),
    cmocka_unit_test(complex_images_are_real),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
