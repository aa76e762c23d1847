/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars that remain on the device: sums against argand_array_dot, ratios against axpby, no transfers. */
#include "harness.h"
#include "array/scalars.h"

enum { N = 40000 };

static bool no_double(argand_type type)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !info.has_double && (type == ARGAND_R64 || type == ARGAND_C64);
}

/* How far a number may be from the same in double: one rounding, or that of a float sum. */
static double rounding(const argand_array *numbers)
{
    return argand_array_type(numbers) == ARGAND_R64 ? 1e-15 : 1e-5;
}

static argand_array *make(argand_type type, uint64_t seed)
{
    argand_array *x;
    OK(argand_array_create(&x, device, type, 2, (int64_t[]){N / 100, 100}));
    randomise(x, seed, 0, 0);
    return x;
}

static const argand_type types[4] = {ARGAND_R32, ARGAND_R64, ARGAND_C32, ARGAND_C64};

static void sums(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        if (no_double(types[kind])) continue;
        argand_array *x = make(types[kind], 1), *y = make(types[kind], 2), *numbers;
        argand_scalar dot, square;
        double n[3], again[3];
        OK(scalars_create(&numbers, device, 3));
        OK(argand_array_dot(&dot, x, y));
        OK(argand_array_dot(&square, x, x));
        const argand_transfers before = argand_device_transfers(device);
        OK(scalars_dot(numbers, 1, 1, x, x, false));
        OK(scalars_dot(numbers, 2, 0.25, x, y, false));
        OK(scalars_dot(numbers, 2, -2, x, x, true));
        const argand_transfers between = argand_device_transfers(device);
        assert_memory_equal(&before, &between, sizeof before);
        OK(scalars_read(n, numbers));
        assert_int_equal(argand_device_transfers(device).downloads, between.downloads + 1);
        assert_true(n[0] == 0);
        CHECK_BELOW(fabs(n[1] / square.re - 1), rounding(numbers));
        CHECK_BELOW(fabs(n[2] / (0.25 * dot.re - 2 * square.re) - 1), 2 * rounding(numbers));
        OK(scalars_dot(numbers, 2, 0.25, x, y, false));
        OK(scalars_dot(numbers, 2, -2, x, x, true));
        OK(scalars_read(again, numbers));
        assert_memory_equal(n, again, sizeof n);
        argand_array_destroy(numbers);
        argand_array_destroy(y);
        argand_array_destroy(x);
    }
}

/* Four inner products in two launches, against sums on the host. */
static void four_dots(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        if (no_double(types[kind])) continue;
        argand_array *r = make(types[kind], 1), *x = make(types[kind], 2), *b = make(types[kind], 3),
                     *numbers;
        double *const v[3] = {as_doubles(r), as_doubles(x), as_doubles(b)}, want[4] = {0}, got[6];
        const int64_t count = types[kind] == ARGAND_C32 || types[kind] == ARGAND_C64 ? 2 * N : N;
        for (int64_t i = 0; i < count; i++) {
            want[0] += v[0][i] * v[0][i];
            want[1] += v[1][i] * v[2][i];
            want[2] += v[1][i] * v[0][i];
            want[3] += v[1][i] * v[1][i];
        }
        OK(scalars_create(&numbers, device, 6));
        OK(scalars_four_dots(numbers, 1, r, x, b));
        OK(scalars_read(got, numbers));
        assert_true(got[0] == 0 && got[5] == 0);
        /* products of independent numbers cancel, so their sums are compared with the sums of squares */
        for (int i = 0; i < 4; i++)
            CHECK_BELOW(fabs(got[1 + i] - want[i]), 100 * rounding(numbers) * want[0]);
        for (int i = 0; i < 3; i++) free(v[i]);
        argand_array_destroy(numbers);
        argand_array_destroy(b);
        argand_array_destroy(x);
        argand_array_destroy(r);
    }
}

static void check_ratios(argand_type type)
{
    argand_array *x = make(type, 1), *y = make(type, 2), *wanted = make(type, 2), *numbers;
    OK(scalars_create(&numbers, device, 3));
    const float floats[3] = {0, 3, 4};
    const double doubles[3] = {0, 3, 4};
    OK(argand_array_upload(numbers,
                           argand_array_type(numbers) == ARGAND_R64 ? (const void *)doubles : floats));
    OK(scalars_add_ratio(y, -1, numbers, 1, 2, x));
    OK(argand_array_axpby(wanted, (argand_scalar){-0.75, 0}, x, (argand_scalar){1, 0}));
    OK(scalars_scale_ratio(y, numbers, 2, 1, x));
    OK(argand_array_axpby(wanted, (argand_scalar){1, 0}, x, (argand_scalar){4. / 3, 0}));
    OK(scalars_add_ratio(y, 1, numbers, 1, 0, x)); /* 3 / 0: unchanged */
    OK(scalars_scale_ratio(y, numbers, 0, 0, x));  /* 0 / 0: unchanged */
    double *a = as_doubles(y), *b = as_doubles(wanted);
    const size_t count = N * (type == ARGAND_C32 || type == ARGAND_C64 ? 2u : 1u);
    /* two steps, in each of which a compiler may fuse one way's products and not the other's: less than two
     * roundings of 2^-24 or 2^-53 */
    CHECK_BELOW(relative_error(a, b, count), type == ARGAND_R32 || type == ARGAND_C32 ? 1e-7 : 2e-16);
    free(a);
    free(b);
    argand_array_destroy(numbers);
    argand_array_destroy(wanted);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void ratios(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        if (!no_double(types[kind])) check_ratios(types[kind]);
}

/* NaN and infinite ratios leave the array alone, and negative denominators. */
static void broken_ratios(void **state)
{
    (void)state;
    const double values[5] = {NAN, INFINITY, 1, -1, 1e-30};
    float floats[5];
    argand_array *x = make(ARGAND_C32, 1), *y = make(ARGAND_C32, 2), *numbers;
    double *before = as_doubles(y);
    OK(scalars_create(&numbers, device, 5));
    for (int i = 0; i < 5; i++) floats[i] = (float)values[i];
    OK(argand_array_upload(numbers,
                           argand_array_type(numbers) == ARGAND_R64 ? (const void *)values : floats));
    const int pairs[6][2] = {{0, 2}, {2, 0}, {1, 2}, {2, 1}, {2, 3}, {1, 4}};
    for (int i = 0; i < 6; i++) {
        OK(scalars_add_ratio(y, 1, numbers, pairs[i][0], pairs[i][1], x));
        OK(scalars_scale_ratio(y, numbers, pairs[i][0], pairs[i][1], x));
    }
    double *after = as_doubles(y);
    assert_memory_equal(before, after, 2 * N * sizeof *before);
    free(after);
    free(before);
    argand_array_destroy(numbers);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(four_dots),
                                          cmocka_unit_test(ratios), cmocka_unit_test(broken_ratios)};
RUN_TESTS(tests)
