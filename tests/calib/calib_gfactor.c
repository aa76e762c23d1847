/* SPDX-License-Identifier: BSD-3-Clause */
/* g-factors of SENSE: the closed form of two coils and two pixels; which pixels alias, by the point spread
 * function of shifted lines; refusals. */
#include "harness.h"

static void two_pixels(void **state)
{
    (void)state;
    const float complex a[2] = {1.f + 0.5f * I, 0.3f}, b[2] = {0.2f, 0.9f - 0.4f * I};
    const float complex maps[4] = {a[0], b[0], a[1], b[1]};
    argand_array *array, *g;
    OK(argand_array_create(&array, device, ARGAND_C32, 3, (const int64_t[]){1, 2, 2}));
    OK(argand_array_create(&g, device, ARGAND_R64, 3, (const int64_t[]){1, 2, 1}));
    OK(argand_array_upload(array, maps));
    OK(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {2, 1}}));
    const double complex product = conj((double complex)a[0]) * b[0] + conj((double complex)a[1]) * b[1];
    const double aa = pow(cabs(a[0]), 2) + pow(cabs(a[1]), 2), bb = pow(cabs(b[0]), 2) + pow(cabs(b[1]), 2);
    const double want = 1 / sqrt(1 - pow(cabs(product), 2) / (aa * bb));
    double *got = as_doubles(g);
    CHECK_BELOW(fabs(got[0] / want - 1), 1e-6);
    CHECK_BELOW(fabs(got[1] / want - 1), 1e-6);
    free(got);
    argand_array_destroy(g);
    argand_array_destroy(array);
}

enum { NY = 6, NZ = 12, RY = 2, RZ = 3, R = RY * RZ };

/* |point spread function| of lines ky = l RY + m, kz = m RZ at a distance, over its largest value. */
static double spread_at(int dy, int dz)
{
    double complex sum = 0;
    int count = 0;
    for (int kz = 0; kz < NZ; kz += RZ)
        for (int ky = 0; ky < NY; ky++) {
            if ((ky - kz / RZ) % RY != 0) continue;
            sum += cexp(2 * PI * I * ((double)ky * dy / NY + (double)kz * dz / NZ));
            count++;
        }
    return cabs(sum) / count;
}

/* Every pixel of an aliasing group has a coil of its own, so that g is 1; then two of them share one. */
static void shifted_lines(void **state)
{
    (void)state;
    float complex maps[NY * NZ * R] = {0};
    int coil[NY * NZ];
    for (int i = 0; i < NY * NZ; i++) {
        coil[i] = 0;
        for (int j = 0; j < i; j++) coil[i] += spread_at(i % NY - j % NY, i / NY - j / NY) > 0.99;
        assert_true(coil[i] < R);
        maps[coil[i] * NY * NZ + i] = 1;
    }
    argand_array *array, *g;
    OK(argand_array_create(&array, device, ARGAND_C32, 4, (const int64_t[]){1, NY, NZ, R}));
    OK(argand_array_create(&g, device, ARGAND_R32, 3, (const int64_t[]){1, NY, NZ}));
    OK(argand_array_upload(array, maps));
    OK(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {RY, RZ}, .shift = 1}));
    double *got = as_doubles(g);
    for (int i = 0; i < NY * NZ; i++) CHECK_BELOW(fabs(got[i] - 1), 1e-6);
    free(got);
    /* other groups, which cannot be separated */
    OK(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {RY, RZ}}));
    got = as_doubles(g);
    int singular = 0;
    for (int i = 0; i < NY * NZ; i++) singular += got[i] == 0;
    assert_true(singular > 0);
    free(got);
    argand_array_destroy(g);
    argand_array_destroy(array);
}

/* Two of three pixels lie in the image, the encoded field of view is twice as long: pixels 0 and 3 alias.
 * With R = 2 and 5 pixels, pixels alias between pixels: maps that do not change along y stay the same there.
 */
static void other_extents(void **state)
{
    (void)state;
    argand_array *array, *g;
    const float complex two[6] = {1, 1, 1, 0, 2, 1}; /* {y, coil} */
    OK(argand_array_create(&array, device, ARGAND_C32, 3, (const int64_t[]){1, 3, 2}));
    OK(argand_array_create(&g, device, ARGAND_R64, 3, (const int64_t[]){1, 3, 1}));
    OK(argand_array_upload(array, two));
    OK(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {2, 1}, .extent = {1, 2, 1}}));
    double *got = as_doubles(g);
    for (int i = 0; i < 3; i++) CHECK_BELOW(fabs(got[i] - 1), 1e-9); /* y + 3 lies outside */
    free(got);
    OK(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {3, 1}, .extent = {1, 2, 1}}));
    got = as_doubles(g); /* y + 2: coils (1, 0) and (1, 1) of pixels 0 and 2; pixel 1 alone */
    CHECK_BELOW(fabs(got[0] / sqrt(2) - 1), 1e-9);
    CHECK_BELOW(fabs(got[1] - 1), 1e-9);
    CHECK_BELOW(fabs(got[2] / sqrt(2) - 1), 1e-9);
    free(got);
    OK(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {2, 1}}));
    got = as_doubles(g); /* pixel 0, coils (1, 0), aliases between 1 and 2: (1, 1.5) */
    CHECK_BELOW(fabs(got[0] / sqrt(1 / (1 - 1 / 3.25)) - 1), 1e-9);
    free(got);
    argand_array_destroy(g);
    argand_array_destroy(array);
}

static void refused(void **state)
{
    (void)state;
    argand_array *array, *g;
    OK(argand_array_create(&array, device, ARGAND_C32, 3, (const int64_t[]){3, 5, 2}));
    OK(argand_array_create(&g, device, ARGAND_R32, 2, (const int64_t[]){3, 5}));
    OK(argand_array_fill(array, (argand_scalar){1, 0}));
    FAILS(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {65, 1}}), ARGAND_ARGUMENT,
          "factors 65 and 1");
    FAILS(argand_coils_gfactor(g, array, &(argand_undersampling){.factors = {2, 1}, .shift = 2}),
          ARGAND_ARGUMENT, "a shift of 2");
    FAILS(argand_coils_gfactor(g, array, &(argand_undersampling){.extent = {1, 0.5, 1}}), ARGAND_ARGUMENT,
          "0.5 times");
    FAILS(argand_coils_gfactor(array, array, &(argand_undersampling){.factors = {1, 1}}), ARGAND_ARGUMENT,
          "must be real");
    argand_array_destroy(g);
    argand_array_destroy(array);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(two_pixels), cmocka_unit_test(shifted_lines),
                                          cmocka_unit_test(other_extents), cmocka_unit_test(refused)};
RUN_TESTS(tests)
