/* SPDX-License-Identifier: BSD-3-Clause */
/* Spreading of several vectors at once: a cell of the tile holds 64 bytes of vectors, so weights are computed
 * once for all of them and SIMD needs no shuffles. */
#include "nufft/cpu/cells.h"

/* P points with the same first cell */
INLINE void spread_points(const chunk *c, const weights *w, int first, int32_t cell, const REAL *samples,
                          const int P, const int width)
{
    const int ny = c->rank > 1 ? c->width : 1, nz = c->rank > 2 ? c->width : 1, taps = c->taps;
    const REAL *wx = w->axis[0] + first * taps, *wy = w->axis[1] + first * taps,
               *wz = w->axis[2] + first * taps;
    for (int z = 0; z < nz; z++) {
        REAL *row = (REAL *)c->tile + IN_CELL * (cell + z * c->plane);
        for (int y = 0; y < ny; y++, row += IN_CELL * c->row) UNROLL for (int k = 0; k < CELL_VECTORS; k++)
            {
                vector value[4];
                UNROLL for (int p = 0; p < P; p++)
                {
                    const REAL outer = (ny > 1 ? wy[p * taps + y] : 1) * (nz > 1 ? wz[p * taps + z] : 1);
                    value[p] = load(samples + p * IN_CELL + k * IN_VECTOR) * outer;
                }
                UNROLL for (int x = 0; x < width; x++)
                {
                    REAL *at = row + x * IN_CELL + k * IN_VECTOR;
                    vector sum = load(at);
                    UNROLL for (int p = 0; p < P; p += 2) /* in pairs, as in spread_one.c */
                    {
                        vector both = value[p] * wx[p * taps + x];
                        if (P > 1) both += value[p + 1] * wx[(p + 1) * taps + x];
                        sum += both;
                    }
                    store(at, sum);
                }
            }
    }
}

INLINE void spread_block(const chunk *c, const weights *w, const int32_t *cell, REAL *samples, int count,
                         const int width)
{
    for (int i = 0; i < count;) {
        const int run = run_length(cell, i, count, 4);
        if (run == 4) {
            spread_points(c, w, i, cell[i], samples + IN_CELL * i, 4, width);
            i += 4;
        } else if (run >= 2) {
            spread_points(c, w, i, cell[i], samples + IN_CELL * i, 2, width);
            i += 2;
        } else {
            spread_points(c, w, i, cell[i], samples + IN_CELL * i, 1, width);
            i++;
        }
    }
}

DEFINE_FOR_WIDTHS(spread_block)

void VARIANT(nufft_spread_many)(const chunk *c)
{
    cell_kernel *const kernel = kernels[c->width <= LAST_WIDTH ? c->width : 0];
    weights w;
    for (int64_t first = 0; first < c->count; first += BLOCK) {
        const int count = c->count - first < BLOCK ? (int)(c->count - first) : BLOCK;
        _Alignas(64) REAL samples[IN_CELL * BLOCK];
        cells_gather(c, first, count, samples);
        fold_samples(c, first, count, samples, IN_CELL / 2);
        cells_prefetch(c, first);
        weights_fill(&w, c, first, count);
        kernel(c, &w, c->cell + first, samples, count);
    }
}
