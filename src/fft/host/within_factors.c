/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/host/within_factors.h"

#include "fft/host/within_kernels.h"

/* Time of a butterfly of each radix with its turns, loads and stores, in vector operations; and of a cell
 * that is turned. */
static const double butterfly[WITHIN_MOST_RADIX + 1] = {0,   0,   16,  34,  38,  72,  86,  120, 100,
                                                        150, 180, 250, 190, 330, 260, 260, 260};
static const double turn = 16;

/* Over radices that do not grow, so that each choice is seen once. */
static double cheapest(int64_t n, int most, within_factors *f)
{
    double best = 1e300;
    f->count = 0;
    if (n == 1) return 0;
    for (int radix = most; radix >= 2; radix--) {
        if (n % radix) continue;
        within_factors rest;
        const double cost =
            cheapest(n / radix, radix, &rest) * radix + (double)(n / radix) * butterfly[radix];
        if (cost >= best || rest.count == WITHIN_MOST_FACTORS) continue;
        best = cost;
        f->radix[0] = radix;
        f->count = rest.count + 1;
        for (int i = 0; i < rest.count; i++) f->radix[i + 1] = rest.radix[i];
    }
    return best;
}

double within_factor(int64_t n, within_factors *f)
{
    return cheapest(n, WITHIN_MOST_RADIX, f);
}

void within_split(int64_t n, int64_t lanes, int64_t *rows, int64_t *columns)
{
    double best = 1e300;
    *rows = 1;
    *columns = n;
    if (n <= WITHIN_MOST_RADIX) return;
    for (int64_t r = 2; r <= n / 2; r++) {
        if (n % r) continue;
        within_factors f;
        const int64_t c = n / r, row_blocks = (r + lanes - 1) / lanes,
                      column_blocks = (c + lanes - 1) / lanes;
        const double cost =
            (double)column_blocks * within_factor(r, &f) +
            (double)row_blocks * (within_factor(c, &f) + (double)(column_blocks * lanes) * turn);
        if (cost >= best) continue;
        best = cost;
        *rows = r;
        *columns = c;
    }
}
