/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions against long double sums; the same bits for any number of threads. */
#include "precisions.h"

#include <float.h>

/* Sums are accumulated in double, or in float on a device without doubles. */
static double coarser(void)
{
    return precision_count() > 1 ? 1 : (double)FLT_EPSILON / DBL_EPSILON;
}

static void dots_and_sums(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 400000; n = n * 7 + 3)
        for (int precision = 0; precision < precision_count(); precision++) {
            argand_array *x, *y;
            OK(argand_array_create(&x, device, precision ? ARGAND_C64 : ARGAND_C32, 1, &n));
            OK(argand_array_create(&y, device, precision ? ARGAND_C64 : ARGAND_C32, 1, &n));
            randomise(x, 1, 0, 0);
            randomise(y, 2, 0, 0);
            double *a = as_doubles(x), *b = as_doubles(y);
            long double re = 0, im = 0, sum = 0, square = 0, most = 0;
            for (int64_t i = 0; i < n; i++) {
                const long double ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
                re += ar * br + ai * bi;
                im += ar * bi - ai * br;
                sum += ar;
                square += ar * ar + ai * ai;
                most = fmaxl(most, hypotl(ar, ai));
            }
            argand_scalar dot, total;
            double norm, max;
            OK(argand_array_dot(&dot, x, y));
            OK(argand_array_sum(&total, x));
            OK(argand_array_norm(&norm, x));
            OK(argand_array_max_abs(&max, x));
            const double limit = coarser() * (1e-16 * (double)n + 1e-15); /* random-walk sums of n terms */
            CHECK_BELOW(fabs((double)(dot.re - re)), limit);
            CHECK_BELOW(fabs((double)(dot.im - im)), limit);
            CHECK_BELOW(fabs((double)(total.re - sum)), limit);
            CHECK_BELOW(fabs((double)(norm - sqrtl(square))), limit);
            CHECK_BELOW(fabs((double)(max - most)), coarser() * 1e-14);
            free(a);
            free(b);
            argand_array_destroy(x);
            argand_array_destroy(y);
        }
}

static void strided_dot(void **state)
{
    (void)state;
    argand_array *a, *rows;
    OK(argand_array_create(&a, device, precision_count() > 1 ? ARGAND_R64 : ARGAND_R32, 2,
                           (int64_t[]){100, 30}));
    randomise(a, 3, 0, 0);
    OK(argand_array_view(&rows, a, 2, (int64_t[]){30, 50}, (int64_t[]){100, 2}, 1));
    double *numbers = as_doubles(a), expected = 0;
    for (int y = 0; y < 30; y++)
        for (int x = 1; x < 100; x += 2) expected += numbers[x + 100 * y] * numbers[x + 100 * y];
    argand_scalar dot;
    OK(argand_array_dot(&dot, rows, rows));
    CHECK_BELOW(fabs(dot.re - expected), coarser() * 1e-11);
    free(numbers);
    argand_array_destroy(rows);
    argand_array_destroy(a);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    argand_array *x;
    OK(argand_array_create(&x, device, ARGAND_C32, 1, (int64_t[]){1234567}));
    randomise(x, 4, 0, 0);
    double first = 0;
    for (int threads = 1; threads <= 5; threads++) {
        double norm;
        OK(argand_device_set_threads(device, threads));
        OK(argand_array_norm(&norm, x));
        if (threads == 1) first = norm;
        assert_memory_equal(&norm, &first, sizeof norm);
    }
    OK(argand_device_set_threads(device, 0));
    argand_array_destroy(x);
}

static void finds_what_is_not_finite(void **state)
{
    (void)state;
    argand_array *x, *one;
    OK(argand_array_create(&x, device, ARGAND_C32, 1, (int64_t[]){100000}));
    OK(argand_array_part(&one, x, 0, 77777, 1));
    bool finite;
    OK(argand_array_is_finite(&finite, x));
    assert_true(finite);
    OK(argand_array_fill(one, (argand_scalar){0, INFINITY}));
    OK(argand_array_is_finite(&finite, x));
    assert_false(finite);
    argand_array_destroy(one);
    argand_array_destroy(x);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(dots_and_sums),
    cmocka_unit_test(strided_dot),
    cmocka_unit_test(same_bits_for_any_number_of_threads),
    cmocka_unit_test(finds_what_is_not_finite),
};
RUN_TESTS(tests)
