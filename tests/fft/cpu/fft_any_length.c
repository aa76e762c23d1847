/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of complex lines (src/fft/cpu/any_length/any_length.h), by the algorithm's own functions, so that
 * no other one is taken in its place: every short length, and long ones of each method. */
#include "fft/cpu/line_check.h"

#include "fft/cpu/any_length/any_length.h"
#include "fft/cpu/simd_single/simd_single.h"

/* The contract: 2 u sqrt(log2 m) for m points of convolution; 0.8 is usual for radices alone. */
static const double most = 2;

/* Rows, columns, lines with gaps both ways, rows in place, alternately. */
static line_case layout(line_case c, int kind)
{
    const int64_t n = c.n, lines = c.lines;
    c.in_stride = c.out_stride = 1;
    c.in_line = c.out_line = n;
    if (kind == 1) c.in_stride = lines, c.in_line = 1, c.out_stride = lines + 2, c.out_line = 1;
    if (kind == 2) c.in_stride = 3, c.in_line = 3 * n + 1, c.out_stride = 2 * lines, c.out_line = 2;
    if (kind == 3) c.in_line = c.out_line = n + 3, c.in_place = true;
    if (kind == 4) c.out_line = n + 5, c.in_stride = lines, c.in_line = 1;
    return c;
}

static line_case case_of(int64_t n, int64_t lines, bool is_double, int number)
{
    line_case c = {.algorithm = &any_batch_algorithm,
                   .kind = LINE_COMPLEX,
                   .is_double = is_double,
                   .n = n,
                   .lines = lines,
                   .factor = number % 3 ? 1 : 0.25,
                   .inverse = number / 2 % 2,
                   .seed = (uint64_t)(n * 31 + number)};
    if (number % 5 < 2) c.rotate_in = n / 2, c.rotate_out = number % 5 ? n / 2 : n / 3;
    return layout(c, number % 5);
}

static void check(const line_case *c)
{
    const double error = line_case_error(c);
    if (!(error <= most))
        fail_msg("%s, %lld points, %lld lines, seed %lld: %.3g u sqrt(log2 m)", c->algorithm->name,
                 (long long)c->n, (long long)c->lines, (long long)c->seed, error);
}

static void one(int64_t n, int64_t lines, bool is_double, int number)
{
    const line_case c = case_of(n, lines, is_double, number);
    check(&c);
}

static void every_short_length(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 1100; n++) one(n, 1 + n * 7 % (n < 300 ? 70 : 19), n % 2, (int)(n / 2));
}

static void short_lengths_in_every_layout(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 70; n++)
        for (int number = 0; number < 20; number++) one(n, 16 + number % 7, number % 2, number);
}

/* Rader as it is and with zeros, several large factors, powers of one, neighbours of powers of two,
 * Bluestein. */
static void long_lengths(void **state)
{
    static const int64_t lengths[] = {1009, 2053, 4093, 4099,  10007, 10006,   30270, 7429,  10403, 16129,
                                      4913, 4097, 8191, 32749, 20011, 1 << 15, 27720, 15625, 19683};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) one(lengths[i], 5, i % 2, (int)i);
}

/* Contiguous lines one by one, over transforms along the line: lengths with a factor above 13. */
static void lines_one_by_one(void **state)
{
    static const int64_t lengths[] = {1009, 2053, 4099, 10007, 10006, 30270, 10403, 32749, 100003};
    (void)state;
    for (int64_t n = 17; n < 700; n++) {
        line_case c = case_of(n, 3, n % 4 < 2, 0);
        c.algorithm = &any_single_algorithm;
        c.inverse = (int)(n / 2 % 2);
        c.rotate_in = c.rotate_out = 0;
        c.in_line = n + 1;
        c.out_line = n + 2;
        if (!simd_single_can(n)) check(&c);
    }
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        line_case c = case_of(lengths[i], 1, i % 2, 3); /* rows in place */
        c.algorithm = &any_single_algorithm;
        c.inverse = i / 2 % 2;
        c.rotate_in = c.rotate_out = 0;
        check(&c);
    }
}

/* Sums: odd lengths and twice those, apart and in place */
static void lines_by_sums(void **state)
{
    (void)state;
    for (int64_t n = 17; n <= 254; n++)
        for (int number = 0; number < 4; number++) {
            line_case c = case_of(n, 3, (n / 4 + number) % 2, number % 2 ? 3 : 0);
            c.algorithm = &sums_single_algorithm;
            c.inverse = number / 2;
            c.rotate_in = c.rotate_out = 0;
            if (!c.algorithm->applicable(&(line_request){.kind = LINE_COMPLEX, .n = n})) check(&c);
        }
    assert_non_null(sums_single_algorithm.applicable(&(line_request){.kind = LINE_COMPLEX, .n = 15}));
    assert_non_null(sums_single_algorithm.applicable(&(line_request){.kind = LINE_COMPLEX, .n = 68}));
    assert_non_null(sums_single_algorithm.applicable(&(line_request){.kind = LINE_COMPLEX, .n = 129}));
    assert_null(sums_single_algorithm.applicable(&(line_request){.kind = LINE_COMPLEX, .n = 254}));
}

static void orders_are_permutations(void **state)
{
    static const int64_t lengths[] = {17, 61, 101, 509, 1009, 2026, 4099};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        any_length_plan *plan;
        OK(any_length_make(&plan, lengths[i], true));
        assert_int_equal(plan->n, lengths[i]);
        char *seen = calloc((size_t)lengths[i] + 1, 1); /* both orders are permutations of the cells */
        for (int64_t k = 0; k < lengths[i]; k++) seen[plan->in[k]] += 1, seen[plan->out[k]] += 2;
        for (int64_t k = 0; k < lengths[i]; k++) assert_int_equal(seen[k], 3);
        free(seen);
        any_length_release(plan);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    any_length_plan *plan;
    (void)state;
    FAILS(any_length_make(&plan, 0, false), ARGAND_UNSUPPORTED, "0 points");
    FAILS(any_length_make(&plan, INT32_MAX, false), ARGAND_UNSUPPORTED, "2147483647 points");
    for (long i = 1; i < 40; i++) {
        argand_test_fail_allocation(i);
        const argand_status status = any_length_make(&plan, 2 * 509, true);
        argand_test_fail_allocation(0);
        if (status == ARGAND_OK)
            any_length_release(plan);
        else
            assert_null(plan);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_short_length),
    cmocka_unit_test(short_lengths_in_every_layout),
    cmocka_unit_test(long_lengths),
    cmocka_unit_test(lines_one_by_one),
    cmocka_unit_test(lines_by_sums),
    cmocka_unit_test(orders_are_permutations),
    cmocka_unit_test(what_cannot_be_is_refused),
};
RUN_TESTS(tests)
