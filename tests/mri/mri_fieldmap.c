/* SPDX-License-Identifier: BSD-3-Clause */
/* The head's field map: within its range, strong enough to matter, smooth, and a function of the position
 * alone. */
#include "harness.h"

static double *head(int64_t nx, int64_t ny, int64_t nz, double range)
{
    argand_array *map;
    OK(argand_array_create(&map, device, ARGAND_R64, 3, (const int64_t[3]){nx, ny, nz}));
    OK(argand_fieldmap_head(map, range));
    double *values = as_doubles(map);
    argand_array_destroy(map);
    return values;
}

static void range_and_smoothness(void **state)
{
    (void)state;
    enum { N = 96 };
    double *map = head(N, N, N, 900), low = 0, high = 0, step = 0;
    for (int64_t i = 0; i < N * N * N; i++) {
        low = fmin(low, map[i]);
        high = fmax(high, map[i]);
        if (i % N) step = fmax(step, fabs(map[i] - map[i - 1]));
        if (i / N % N) step = fmax(step, fabs(map[i] - map[i - N]));
        if (i >= N * N) step = fmax(step, fabs(map[i] - map[i - N * N]));
    }
    CHECK_BELOW(high, 900);
    CHECK_BELOW(-low, 900);
    assert_true(high > 0.5 * 900 && low < -0.3 * 900);
    CHECK_BELOW(
        step, 0.15 * 900); /* a blob of width 0.07 is 6.7 voxels wide: steepest 0.6 / 6.7 times its height */
    free(map);
}

/* The maximum, the sinus, lies in front (small y), near the middle in x. */
static void orientation(void **state)
{
    (void)state;
    enum { N = 64 };
    double *map = head(N, N, 1, 1);
    int best = 0;
    for (int i = 0; i < N * N; i++)
        if (map[i] > map[best]) best = i;
    assert_in_range(best / N, N / 8, 3 * N / 8);
    assert_in_range(best % N, 3 * N / 8, 5 * N / 8);
    free(map);
}

static void finer_grids_sample_the_same_map(void **state)
{
    (void)state;
    double *coarse = head(20, 24, 6, 3), *fine = head(40, 48, 12, 3);
    for (int z = 0; z < 6; z++)
        for (int y = 0; y < 24; y++)
            for (int x = 0; x < 20; x++)
                CHECK_BELOW(fabs(coarse[(z * 24 + y) * 20 + x] - fine[(2 * z * 48 + 2 * y) * 40 + 2 * x]),
                            1e-14);
    free(fine);
    free(coarse);
}

static void refusals(void **state)
{
    (void)state;
    argand_array *map, *complex_map;
    OK(argand_array_create(&map, device, ARGAND_R32, 2, (const int64_t[2]){4, 4}));
    OK(argand_array_create(&complex_map, device, ARGAND_C32, 2, (const int64_t[2]){4, 4}));
    FAILS(argand_fieldmap_head(map, -1), ARGAND_ARGUMENT, "0 or more");
    FAILS(argand_fieldmap_head(map, NAN), ARGAND_ARGUMENT, "0 or more");
    FAILS(argand_fieldmap_head(complex_map, 1), ARGAND_ARGUMENT, "real");
    argand_array_destroy(complex_map);
    argand_array_destroy(map);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(range_and_smoothness),
    cmocka_unit_test(orientation),
    cmocka_unit_test(finer_grids_sample_the_same_map),
    cmocka_unit_test(refusals),
};
RUN_TESTS(tests)
