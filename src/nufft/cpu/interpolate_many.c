/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation of several vectors at once, the transpose of spread_many.c. */
#include "nufft/cpu/cells.h"

INLINE void interpolate_points(const chunk *c, const weights *w, int first, int32_t cell, REAL *samples,
                               const int P, const int width)
{
    const int ny = c->rank > 1 ? c->width : 1, nz = c->rank > 2 ? c->width : 1, taps = c->taps;
    const REAL *wx = w->axis[0] + first * taps, *wy = w->axis[1] + first * taps,
               *wz = w->axis[2] + first * taps;
    UNROLL for (int k = 0; k < CELL_VECTORS; k++)
    {
        vector total[4] = {0};
        for (int z = 0; z < nz; z++) {
            const REAL *row = (const REAL *)c->tile + IN_CELL * (cell + z * c->plane) + k * IN_VECTOR;
            for (int y = 0; y < ny; y++, row += IN_CELL * c->row) {
                vector sum[4] = {0};
                UNROLL for (int x = 0; x < width; x++)
                {
                    const vector value = load(row + x * IN_CELL);
                    UNROLL for (int p = 0; p < P; p++) sum[p] += value * wx[p * taps + x];
                }
                UNROLL for (int p = 0; p < P; p++) total[p] +=
                    sum[p] * ((ny > 1 ? wy[p * taps + y] : 1) * (nz > 1 ? wz[p * taps + z] : 1));
            }
        }
        UNROLL for (int p = 0; p < P; p++) store(samples + p * IN_CELL + k * IN_VECTOR, total[p]);
    }
}

INLINE void interpolate_block(const chunk *c, const weights *w, const int32_t *cell, REAL *samples, int count,
                              const int width)
{
    for (int i = 0; i < count;) {
        const int run = run_length(cell, i, count, 4);
        if (run == 4) {
            interpolate_points(c, w, i, cell[i], samples + IN_CELL * i, 4, width);
            i += 4;
        } else if (run >= 2) {
            interpolate_points(c, w, i, cell[i], samples + IN_CELL * i, 2, width);
            i += 2;
        } else {
            interpolate_points(c, w, i, cell[i], samples + IN_CELL * i, 1, width);
            i++;
        }
    }
}

DEFINE_FOR_WIDTHS(interpolate_block)

void VARIANT(nufft_interpolate_many)(const chunk *c)
{
    cell_kernel *const kernel = kernels[c->width <= LAST_WIDTH ? c->width : 0];
    weights w;
    for (int64_t first = 0; first < c->count; first += BLOCK) {
        const int count = c->count - first < BLOCK ? (int)(c->count - first) : BLOCK;
        _Alignas(64) REAL samples[IN_CELL * BLOCK];
        cells_prefetch(c, first);
        weights_fill(&w, c, first, count);
        kernel(c, &w, c->cell + first, samples, count);
        fold_samples(c, first, count, samples, IN_CELL / 2);
        cells_scatter(c, first, count, samples);
    }
}
