/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels' arithmetic of angles (src/kernels/fft/angle.h), compiled for the host: within what its
 * comments promise, for the whole range of its arguments. Devices meet its long ends in transforms of
 * millions of points alone. */
#include "harness.h"

#define REAL float
#include "kernels/portable.h"
#include "kernels/fft/angle.h"

/* The cosine and sine of kernels: all fractions of a turn at steps that meet all quarters and signs. */
static void angles_are_right(void **state)
{
    (void)state;
    double worst = 0;
    for (int64_t i = 0; i < (int64_t)1 << 32; i += i % 4099 ? 4051 : 1) {
        float c, s;
        fft_angle((uint32_t)i, &c, &s);
        const double angle = 6.283185307179586477 * 0x1p-32 * (double)i;
        worst = fmax(worst, fmax(fabs(c - cos(angle)), fabs(s - sin(angle))));
    }
    if (!(worst <= 7.2e-8)) fail_msg("an angle's sine or cosine is wrong by %g", worst);
}

/* The same in double: m n-ths of a turn, for many n, with m in all octants and next to their ends. The unit
 * and the product with it are rounded, and so is the result: (2 pi/4 sqrt(1/2) + 1/2) of 2^-53 at most. */
static void angles_are_right_in_double(void **state)
{
    (void)state;
    random_state numbers = {2};
    long double worst = 0;
    for (int i = 0; i < 4000; i++) {
        const uint32_t n =
            i < 30 ? (uint32_t)1 << (i + 1) : 2 + (uint32_t)(random_uniform(&numbers) * (0x1p31 - 3));
        for (int j = 0; j < 120; j++) {
            const double part = j < 80 ? j / 8 / 8. : random_uniform(&numbers);
            const int64_t near = (int64_t)(part * (double)n) + j % 8 - 4;
            const uint32_t m = (uint32_t)(near < 0 ? 0 : near < n ? near : n - 1);
            double c, s;
            fft_angle_double(m, n, (double)(1.57079632679489661923L / n), &c, &s);
            const long double angle = 6.283185307179586476925286766559L * (long double)m / (long double)n;
            worst = fmaxl(worst, fmaxl(fabsl(c - cosl(angle)), fabsl(s - sinl(angle))));
        }
    }
    if (!(worst <= 1.62L * 0x1p-53L)) fail_msg("an angle's sine or cosine is wrong by %Lg", worst);
}

/* The inter-pass twiddles of a long line's results, as tile_interpass_of and tile_interpass_at make them: k g
 * / n of a turn for many n. */
static void products_are_right(void **state)
{
    (void)state;
    random_state numbers = {1};
    for (int i = 0; i < 2000; i++) {
        const uint64_t n = i < 32 ? (uint64_t)1 << (i + 1)
                                  : 2 + (uint64_t)(random_uniform(&numbers) * 0x1p32 * 0.999),
                       unit = UINT64_MAX / n + 1;
        for (int j = 0; j < 200; j++) {
            const uint64_t m = (uint64_t)(random_uniform(&numbers) * (double)n),
                           k = 1 + (uint64_t)(random_uniform(&numbers) * 4096), g = m / k;
            const double t = (double)(uint32_t)((k * (g * unit)) >> 32) * 0x1p-32,
                         apart = fabs(t - (double)(k * g) / (double)n);
            if (!(fmin(apart, 1 - apart) <= 0x1p-31))
                fail_msg("%g of a turn for %llu %llu / %llu", t, (unsigned long long)k, (unsigned long long)g,
                         (unsigned long long)n);
        }
    }
}

/* The chirp's angle. 1.7 10^6 is where 32 bits of 2^64 / 2n once were too few. */
static void squares_are_right(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 2, 3, 10007, 1000003, 1826123, 2073286, 3857869, 9999991, 16777213};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const uint64_t n = lengths[i], unit = UINT64_MAX / (2 * n) + 1;
        double worst = 0;
        for (uint64_t j = n > 100000 ? n % 17 : 0; j<n; j += n> 100000 ? 17 : 1) {
            const uint32_t exact = (uint32_t)llroundl(0x1p32L * (long double)(j * j % (2 * n)) /
                                                      (long double)(2 * n)),
                           found = fft_chirp_turns((uint32_t)j, (uint32_t)n, unit);
            worst = fmax(worst, fabs((double)(int32_t)(found - exact)));
        }
        CHECK_BELOW(worst, 1.5); /* of 2^-32 turns */
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(angles_are_right), cmocka_unit_test(angles_are_right_in_double),
    cmocka_unit_test(products_are_right), cmocka_unit_test(squares_are_right)};
RUN_TESTS(tests)
