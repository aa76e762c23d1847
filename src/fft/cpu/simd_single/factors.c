/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a length into rows and columns of a matrix, and each of them into the cheapest radices. */
#include "fft/cpu/simd_single/factors.h"

#include "fft/cpu/simd_single/kernels.h"

/* Cycles of a butterfly of each radix without and with twiddles, of a cell that is
 * transposed, of a call: measured on a Sapphire Rapids with AVX-512. */
static const double without_twiddles[SIMD_SINGLE_MOST_RADIX + 1] = {0,  0,  5,  10, 11,  20,  21,  37, 31,
                                                                    52, 52, 93, 58, 136, 104, 115, 95};
static const double with_twiddles[SIMD_SINGLE_MOST_RADIX + 1] = {0,  0,  8,   13, 16,  30,  32,  50, 46,
                                                                 70, 72, 123, 85, 170, 140, 155, 140};
static const double transpose_cost = 10, call = 15;

/* More for each cell that does not fit the first cache */
static double reach(int64_t length)
{
    return length > 320 ? length > 8192 ? 12 : 4 : 0;
}

/* Over radices that do not grow, so that each choice is seen once; `whole` is
 * the length of all of them. */
static double cheapest(int64_t n, int64_t whole, int most, simd_single_factors *f)
{
    double best = 1e300;
    f->count = 0;
    if (n == 1) return 0;
    for (int radix = most; radix >= 2; radix--) {
        if (n % radix) continue;
        simd_single_factors rest;
        const double later = cheapest(n / radix, whole, radix, &rest);
        const double cost = later + call + (double)whole * reach(whole) +
                            (double)(whole / radix) * (n == whole ? without_twiddles : with_twiddles)[radix];
        if (cost >= best || rest.count == SIMD_SINGLE_MOST_FACTORS) continue;
        best = cost;
        f->radix[0] = radix;
        f->count = rest.count + 1;
        for (int i = 0; i < rest.count; i++) f->radix[i + 1] = rest.radix[i];
    }
    return best;
}

double simd_single_factor(int64_t n, simd_single_factors *f)
{
    return cheapest(n, n, SIMD_SINGLE_MOST_RADIX, f);
}

static double matrix(int64_t rows, int64_t columns, int64_t lanes)
{
    simd_single_factors f;
    const int64_t row_blocks = (rows + lanes - 1) / lanes, column_blocks = (columns + lanes - 1) / lanes;
    return (double)column_blocks * simd_single_factor(rows, &f) +
           (double)row_blocks * simd_single_factor(columns, &f) +
           (double)(row_blocks * column_blocks) * ((double)lanes * transpose_cost + call);
}

double simd_single_split(int64_t n, int64_t lanes, int64_t *rows, int64_t *columns)
{
    double best = 1e300;
    for (int64_t divisor = 2; divisor <= n / divisor; divisor++)
        for (int other = 0; n % divisor == 0 && other < 2; other++) {
            const int64_t r = other ? n / divisor : divisor;
            const double cost = matrix(r, n / r, lanes);
            if (cost >= best) continue;
            best = cost;
            *rows = r;
            *columns = n / r;
        }
    return best;
}
