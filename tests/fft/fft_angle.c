/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels' arithmetic of angles (src/kernels/fft_angle.h), compiled for the host: within what its
 * comments promise, for the whole range of its arguments. Devices meet its long ends in transforms of
 * millions of points alone. */
#include "harness.h"

#define REAL float
#include "kernels/portable.h"
#include "kernels/fft_angle.h"

static const long double turn = 6.283185307179586476925286766559005768L;

static void single_precision(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t t = 0; t < (uint64_t)1 << 32; t += 4093) {
        float c, s;
        fft_angle((uint32_t)t, &c, &s);
        const long double angle = turn * (long double)t * 0x1p-32L;
        worst = fmax(worst, (double)hypotl((long double)c - cosl(angle), (long double)s - sinl(angle)));
    }
    CHECK_BELOW(worst, 1.1e-7); /* 7.1e-8 each */
}

static void double_precision(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {7, 1000, 4194304, 1000000007, 2147483647};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const uint32_t n = lengths[i];
        double worst = 0;
        for (uint64_t m = 0; m < n; m += 1 + n / 9973) {
            double c, s;
            fft_angle_double((uint32_t)m, n, (double)(turn / 4 / n), &c, &s);
            const long double angle = turn * (long double)m / n;
            worst = fmax(worst, (double)fmaxl(fabsl(c - cosl(angle)), fabsl(s - sinl(angle))));
        }
        CHECK_BELOW(worst, 1.62 * 0x1p-53);
    }
}

/* The chirp's angle. 1.7 10^6 is where 32 bits of 2^64 / 2n once were too few. */
static void squares(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 2, 3, 10007, 1000003, 1826123, 2073286, 3857869, 9999991, 16777213};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const uint64_t n = lengths[i], unit = UINT64_MAX / (2 * n) + 1;
        double worst = 0;
        for (uint64_t j = n > 100000 ? n % 17 : 0; j<n; j += n> 100000 ? 17 : 1) {
            const uint32_t exact = (uint32_t)llroundl(0x1p32L * (long double)(j * j % (2 * n)) /
                                                      (long double)(2 * n)),
                           found = fft_square_turns((uint32_t)j, (uint32_t)n, unit);
            worst = fmax(worst, fabs((double)(int32_t)(found - exact)));
        }
        CHECK_BELOW(worst, 1.5); /* of 2^-32 turns */
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(single_precision),
                                          cmocka_unit_test(double_precision), cmocka_unit_test(squares)};
RUN_TESTS(tests)
