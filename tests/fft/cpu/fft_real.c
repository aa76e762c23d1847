/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines in batches (src/fft/cpu/any_length/real_batch_algorithm.c), one by one and by FFTW, by the
 * algorithms' own functions: every short length, both directions, all layouts, in place with FFTW's padded
 * rows. */
#include "fft/cpu/line_check.h"

static const double most = 2; /* as in fft_any_length.c */

static line_case layout(line_case c, int kind)
{
    const int64_t half = c.n / 2 + 1, lines = c.lines;
    const int64_t in = c.inverse ? half : c.n, out = c.inverse ? c.n : half;
    c.in_stride = c.out_stride = 1;
    c.in_line = in;
    c.out_line = out;
    if (kind == 1) c.in_stride = lines, c.in_line = 1, c.out_stride = lines + 2, c.out_line = 1;
    if (kind == 2) c.in_stride = 3, c.in_line = 3 * in + 1, c.out_stride = 2 * lines, c.out_line = 2;
    if (kind == 3) c.in_line = in + 3, c.out_line = out + 4;
    if (kind == 4) c.out_line = out + 5, c.in_stride = lines, c.in_line = 1;
    return c;
}

static void one(const line_algorithm *algorithm, int64_t n, int64_t lines, bool is_double, int number)
{
    line_case c = {.algorithm = algorithm,
                   .kind = LINE_REAL,
                   .is_double = is_double,
                   .n = n,
                   .lines = lines,
                   .factor = number % 3 ? 1 : 0.25,
                   .inverse = number / 2 % 2,
                   .seed = (uint64_t)(n * 31 + number)};
    c = layout(c, algorithm->plain ? 3 * (number % 2) : number % 5);
    const double error = line_case_error(&c);
    if (!(error <= most))
        fail_msg("%s, %lld reals, %lld lines, case %d: %.3g u sqrt(log2 m)", algorithm->name, (long long)n,
                 (long long)lines, number, error);
}

static void every_short_length(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 1100; n++)
        one(&real_batch_algorithm, n, 1 + n * 7 % (n < 300 ? 70 : 19), n / 2 % 2, (int)(n / 4));
}

static void short_lengths_in_every_layout(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 70; n++)
        for (int number = 0; number < 20; number++)
            one(&real_batch_algorithm, n, 30 + number % 7, number % 2, number);
}

static void long_lengths(void **state)
{
    static const int64_t lengths[] = {2018,  2053,  4106, 8198,  10007, 20014,
                                      10010, 16383, 8192, 65536, 27720, 19683};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        one(&real_batch_algorithm, lengths[i], 5, i % 2, (int)i);
}

/* Contiguous lines over complex ones of whichever way. */
static void lines_one_by_one(void **state)
{
    static const int64_t lengths[] = {2018, 2053, 10007, 20014, 16383, 65536, 262144, 200006, 531441};
    (void)state;
    for (int64_t n = 2; n < 400; n++) one(&real_single_algorithm, n, 1 + n % 5, n / 2 % 2, (int)(n / 4));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        one(&real_single_algorithm, lengths[i], 1 + (int64_t)i % 2, i % 2, (int)i);
}

/* Single lines and whole blocks, which go straight in memory where they are contiguous; blocks of 8 to 64. */
static void lines_by_fftw(void **state)
{
    (void)state;
#ifdef ARGAND_HAVE_FFTW
    static const int64_t lengths[] = {2, 3, 4, 5, 6, 7, 8, 15, 16, 30, 35, 63, 64, 66, 128, 143, 360, 1024};
    static const int64_t lines[] = {1, 64, 65, 70};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof lines / sizeof *lines; j++)
            for (int number = 0; number < 20; number++)
                for (int is_double = 0; is_double < 2; is_double++)
                    one(&fftw_algorithm, lengths[i], lines[j], is_double, number);
#else
    skip();
#endif
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_short_length), cmocka_unit_test(short_lengths_in_every_layout),
    cmocka_unit_test(long_lengths),       cmocka_unit_test(lines_one_by_one),
    cmocka_unit_test(lines_by_fftw),
};
RUN_TESTS(tests)
