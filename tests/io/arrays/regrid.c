/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes on other grids by their places in the patient (the tool: cli/resample,
 * tests/cli/map_places.py). */
#include "harness.h"

/* A volume on a grid that is turned by 90 degrees, finer along x and a voxel further along z. */
static void regridded(void **state)
{
    (void)state;
    const int64_t from_n[3] = {4, 3, 2}, to_n[3] = {3, 7, 2};
    const argand_geometry from = {.valid = true,
                                  .voxel = {2, 3, 5},
                                  .read = {1, 0, 0},
                                  .phase = {0, 1, 0},
                                  .slice = {0, 0, 1},
                                  .centre = {10, 20, 30}},
                          to = {.valid = true,
                                .voxel = {3, 1, 5},
                                .read = {0, 1, 0},
                                .phase = {1, 0, 0},
                                .slice = {0, 0, 1},
                                .centre = {10, 20, 35}};
    argand_array *x, *y, *real, *halves;
    int64_t outside = 0;
    OK(argand_array_create(&x, device, ARGAND_C32, 3, from_n));
    OK(argand_array_create(&y, device, ARGAND_C64, 3, to_n));
    OK(argand_array_create(&real, device, ARGAND_R32, 3, to_n));
    randomise(x, 5, 0, 0);
    OK(argand_array_regrid(y, &to, x, &from, false, &outside));
    double complex *a = (double complex *)as_doubles(x), *b = (double complex *)as_doubles(y);
    /* slice z of y is slice z + 1 of x; y's second axis goes along x in halves of a voxel, from x = 2 - 3/2
     * on */
    int64_t expected = 0;
    for (int z = 0; z < 2; z++)
        for (int j = 0; j < 7; j++)
            for (int i = 0; i < 3; i++) {
                const double at = 2 + 0.5 * (j - 3);
                const int low = (int)at < 3 ? (int)at : 3, high = low < 3 ? low + 1 : 3;
                const double part = at - (int)at;
                const double complex *row = a + 4 * (i + 3);
                const bool inside = z == 0 && at < 3.5 + 1e-6;
                expected += !inside;
                CHECK_BELOW(
                    cabs(b[i + 3 * (j + 7 * z)] - (inside ? (1 - part) * row[low] + part * row[high] : 0)),
                    1e-6);
            }
    assert_int_equal(outside, expected);
    CHECK_BELOW(fabs(argand_geometry_distance(&from, from_n, &from, from_n)), 1e-12);
    const argand_geometry moved = {.valid = true,
                                   .voxel = {2, 3, 5},
                                   .read = {1, 0, 0},
                                   .phase = {0, 1, 0},
                                   .slice = {0, 0, 1},
                                   .centre = {13, 24, 30}};
    CHECK_BELOW(fabs(argand_geometry_distance(&from, from_n, &moved, from_n) - 5), 1e-12);
    OK(argand_array_create(&halves, device, ARGAND_C16, 3, from_n));
    FAILS(argand_array_regrid(y, &to, halves, &from, false, NULL), ARGAND_UNSUPPORTED, "storage types");
    argand_array_destroy(halves);
    FAILS(argand_array_regrid(real, &to, x, &from, false, NULL), ARGAND_ARGUMENT, "both must be real");
    FAILS(argand_array_regrid(y, &to, x, &(argand_geometry){0}, false, NULL), ARGAND_ARGUMENT,
          "the input has no place");
    free(a);
    free(b);
    argand_array_destroy(real);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(regridded),
};
RUN_TESTS(tests)
