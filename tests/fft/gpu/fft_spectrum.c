/* SPDX-License-Identifier: BSD-3-Clause */
/* What convolutions' lines are convolved with, in the order in which kernels want it, compared with its
 * definition in long double; and the roots of unity that tables are made of. */
#include "harness.h"

#include <complex.h>
#include "base/memory.h"
#include "fft/gpu/convolution/convolution.h"
#include "sample.h"

typedef long double complex number;

static number root(int64_t m, int64_t n)
{
    const long double angle = 6.283185307179586476925286766559L * (long double)(m % n) / (long double)n;
    return cosl(angle) + I * sinl(angle);
}

/* Point j of Bluestein's kernel. */
static number bluestein(int j, int points, int m)
{
    const int64_t i = j < m - j ? j : m - j;
    return i < points ? root(i * i, 2 * (int64_t)points) : 0;
}

/* Point k of what `fused_spectrum` leaves should be this. */
static number expected(int k, int points, int m)
{
    number sum = 0;
    for (int j = 0; j < m; j++) sum += bluestein(j, points, m) * conjl(root((int64_t)j * k, m));
    return sum / m;
}

/* Errors are some of the sums' last places; the sums are about the square root of `points`. */
static void check(int points, int m, int lines)
{
    const line_convolution f = {.kind = CONVOLUTION_BLUESTEIN, .points = points, .convolution = m};
    const long double most = 2e-15L * sqrtl(points) / m;
    twiddle_tables t = {0};
    int at, step = m > 3000 ? m / (is_first_tier() ? 199 : 997) : 1;
    tables_begin(&t);
    OK(convolution_spectrum(&t, &f, lines, device, &at));
    for (int k = 0; k < m; k += step) {
        const double *x = tables_at(&t, at) + 2 * (k % lines * (int64_t)(m / lines) + k / lines);
        const long double wrong = cabsl(x[0] + I * x[1] - expected(k, points, m));
        if (!(wrong <= most))
            fail_msg("number %d of the spectrum of %d in %d by %d lines is wrong by %Lg", k, points, m, lines,
                     wrong);
    }
    tables_release(&t);
}

/* Odd and even numbers of lines and of columns, primes that are direct sums in either, one line. */
static void spectra_are_right(void **state)
{
    static const int cases[][3] = {
        {1, 2, 2},    {7, 16, 4},   {10, 24, 6},   {11, 35, 5},      {11, 35, 7},      {9, 18, 9},
        {9, 18, 2},   {50, 102, 6}, {50, 102, 17}, {47, 93, 31},     {9, 37, 1},       {60, 188, 47},
        {40, 85, 85}, {60, 120, 1}, {60, 323, 1},  {1009, 2048, 64}, {1009, 2176, 34}, {10007, 20480, 80}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i][1] < 1000 || in_sample((int64_t)i, 2)) check(cases[i][0], cases[i][1], cases[i][2]);
}

static void roots_are_right(void **state)
{
    static const int64_t lengths[] = {
        1,    2,     3,     4,      7,       64,      511,        512,
        1024, 10007, 20412, 262144, 2000006, 2097152, 1000000007, (int64_t)1 << 40};
    (void)state;
    random_state numbers = {3};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int64_t n = lengths[i];
        long double worst = 0;
        roots r;
        OK(roots_make(&r, n));
        for (int j = 0; j < (is_first_tier() ? 4000 : 20000); j++) {
            const int64_t any = (int64_t)(random_uniform(&numbers) * (double)n),
                          m = j < n ? (j % 2 ? any : n - 1 - any) : j % n;
            double cosine, sine;
            roots_at(&r, m, &cosine, &sine);
            worst = fmaxl(worst, cabsl(cosine + I * sine - root(m, n)));
        }
        if (!(worst <= 0.75L * 0x1p-53L)) fail_msg("a root of %lld is wrong by %Lg", (long long)n, worst);
        roots_release(&r);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(spectra_are_right),
                                          cmocka_unit_test(roots_are_right)};
RUN_TESTS(tests)
