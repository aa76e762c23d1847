/* SPDX-License-Identifier: BSD-3-Clause */
/* The fully sampled block around the centre. */
#include "harness.h"

/* k-space that is sampled where `sampled` says, in the second of two coils. */
static argand_array *make(const int64_t n[3], int (*sampled)(int64_t, int64_t, int64_t))
{
    argand_array *array;
    const int64_t pixels = n[0] * n[1] * n[2];
    float *values = calloc((size_t)(4 * pixels), sizeof *values);
    OK(argand_array_create(&array, device, ARGAND_C32, 4, (const int64_t[4]){n[0], n[1], n[2], 2}));
    for (int64_t i = 0; i < pixels; i++)
        values[2 * (pixels + i) + 1] = sampled(i % n[0], i / n[0] % n[1], i / (n[0] * n[1])) ? 1e-30f : 0;
    OK(argand_array_upload(array, values));
    free(values);
    return array;
}

static int lines(int64_t x, int64_t y, int64_t z) /* every third line, and 8 to 14 */
{
    (void)x;
    (void)z;
    return y % 3 == 0 || (y >= 8 && y <= 14);
}

static int hole(int64_t x, int64_t y, int64_t z)
{
    return !(x == 9 && y == 4 && z == 3);
}

static void found(void **state)
{
    (void)state;
    int64_t region[3];
    const int64_t flat[3] = {20, 23, 1}, solid[3] = {12, 9, 7};
    argand_array *array = make(flat, lines);
    OK(argand_calibration_region(region, array, 0));
    /* the centre of 23 is 11; 8 to 15 are sampled (15 by the third lines); around 11 that is 8 to 14 or 15 */
    assert_true(region[0] == 20 && region[1] == 7 && region[2] == 1);
    OK(argand_calibration_region(region, array, 5));
    assert_true(region[0] == 5 && region[1] == 5 && region[2] == 1);
    argand_array_destroy(array);
    array = make(solid, hole);
    OK(argand_calibration_region(region, array, 0));
    /* the hole is 3 beyond the centre 6 of x: blocks of 6 (3 to 8) leave it out, and y and z are whole */
    assert_true(region[0] == 6 && region[1] == 9 && region[2] == 7);
    argand_array_destroy(array);
}

static int off_centre(int64_t x, int64_t y, int64_t z)
{
    (void)z;
    return x != 10 || y != 11;
}

static void refused(void **state)
{
    (void)state;
    int64_t region[3];
    argand_array *array = make((const int64_t[3]){20, 23, 1}, off_centre), *flat;
    FAILS(argand_calibration_region(region, array, 0), ARGAND_ARGUMENT, "has no sample");
    FAILS(argand_calibration_region(region, array, -1), ARGAND_ARGUMENT, "-1");
    OK(argand_array_create(&flat, device, ARGAND_C32, 2, (const int64_t[2]){4, 4}));
    FAILS(argand_calibration_region(region, flat, 0), ARGAND_ARGUMENT, "rank 2");
    argand_array_destroy(flat);
    argand_array_destroy(array);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(refused)};
RUN_TESTS(tests)
