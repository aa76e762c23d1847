/* SPDX-License-Identifier: BSD-3-Clause */
/* Spreading of one vector: each sample times its window is added to the tile, a row of the window at a time.
 * Points that touch the same cells are added together, so that the tile is read and written once for them:
 * in pairs, which leaves sums of many half the rounding, and in the same order for any number of vectors. */
#include "nufft/cpu/weights.h"

/* P points with the same first cell; rows of `vectors` SIMD vectors. */
INLINE void spread_points(const chunk *c, const weights *w, int first, int32_t cell, const REAL *samples,
                          const int P, const int vectors, const int rank)
{
    vector value[4][MOST_VECTORS];
    UNROLL for (int p = 0; p < P; p++)
    {
        const vector sample = repeated(load_pair(samples + 2 * p));
        const REAL *x = w->axis[0] + (first + p) * c->taps;
        UNROLL for (int k = 0; k < vectors; k++) value[p][k] =
            sample * each_twice(load_half(x + k * IN_HALF));
    }
    const int ny = rank > 1 ? c->width : 1, nz = rank > 2 ? c->width : 1;
    const REAL *wy = w->axis[1] + first * c->taps, *wz = w->axis[2] + first * c->taps;
    for (int z = 0; z < nz; z++) {
        REAL *row = (REAL *)c->tile + 2 * (cell + z * c->plane);
        vector scaled[4][MOST_VECTORS];
        UNROLL for (int p = 0; p < P; p++) UNROLL for (int k = 0; k < vectors; k++) scaled[p][k] =
            nz > 1 ? value[p][k] * wz[p * c->taps + z] : value[p][k];
        for (int y = 0; y < ny; y++, row += 2 * c->row) UNROLL for (int k = 0; k < vectors; k++)
            {
                vector sum = load(row + k * IN_VECTOR);
                UNROLL for (int p = 0; p < P; p += 2)
                {
                    vector both = scaled[p][k] * (ny > 1 ? wy[p * c->taps + y] : 1);
                    if (P > 1) both += scaled[p + 1][k] * (ny > 1 ? wy[(p + 1) * c->taps + y] : 1);
                    sum += both;
                }
                store(row + k * IN_VECTOR, sum);
            }
    }
}

INLINE void spread_block(const chunk *c, const weights *w, const int32_t *cell, const REAL *samples,
                         int count, const upcoming *next, const int vectors, const int rank)
{
    const int most = vectors == 1 ? 4 : 2;
    for (int i = 0; i < count;) {
        const int run = run_length(cell, i, count, most), points = run == 3 ? 2 : run;
        ask_for(next, i, points);
        if (most == 4 && points == 4)
            spread_points(c, w, i, cell[i], samples + 2 * i, 4, vectors, rank);
        else if (points == 2)
            spread_points(c, w, i, cell[i], samples + 2 * i, 2, vectors, rank);
        else
            spread_points(c, w, i, cell[i], samples + 2 * i, 1, vectors, rank);
        i += points;
    }
}

#define DEFINE_SPREAD(n)                                                                               \
    static void spread_##n(const chunk *c, const weights *w, const int32_t *cell, const REAL *samples, \
                           int count, const upcoming *next)                                            \
    {                                                                                                  \
        if (c->rank == 1)                                                                              \
            spread_block(c, w, cell, samples, count, next, n, 1);                                      \
        else if (c->rank == 2)                                                                         \
            spread_block(c, w, cell, samples, count, next, n, 2);                                      \
        else                                                                                           \
            spread_block(c, w, cell, samples, count, next, n, 3);                                      \
    }
DEFINE_SPREAD(1)
DEFINE_SPREAD(2)
DEFINE_SPREAD(3)
DEFINE_SPREAD(4)
DEFINE_SPREAD(5)
DEFINE_SPREAD(6)
DEFINE_SPREAD(8)
DEFINE_SPREAD(12)
#if VECTOR_REALS == 2 /* rows end with a window of whole fours */
DEFINE_SPREAD(7)
DEFINE_SPREAD(9)
DEFINE_SPREAD(10)
DEFINE_SPREAD(16)
DEFINE_SPREAD(20)
DEFINE_SPREAD(24)
#else
#define spread_7 spread_8
#define spread_9 spread_12
#define spread_10 spread_12
#endif

typedef void block_kernel(const chunk *, const weights *, const int32_t *, const REAL *, int,
                          const upcoming *);

void VARIANT(nufft_spread_one)(const chunk *c)
{
    static block_kernel *const kernels[MOST_VECTORS + 1] = {
        NULL,
        spread_1,
        spread_2,
        spread_3,
        spread_4,
        spread_5,
        spread_6,
        spread_7,
        spread_8,
        spread_9,
        spread_10,
        spread_12,
        spread_12,
#if VECTOR_REALS == 2
        spread_16,
        spread_16,
        spread_16,
        spread_16,
        spread_20,
        spread_20,
        spread_20,
        spread_20,
        spread_24,
        spread_24,
        spread_24,
        spread_24,
#endif
    };
    block_kernel *const kernel = kernels[(2 * c->width + IN_VECTOR - 1) / IN_VECTOR];
    const REAL *source = (const REAL *)c->samples + 2 * c->vectors[0];
    weights w;
    for (int64_t first = 0; first < c->count; first += BLOCK) {
        const int count = c->count - first < BLOCK ? (int)(c->count - first) : BLOCK;
        REAL samples[2 * BLOCK];
        for (int i = 0; i < count; i++)
            store_pair(samples + 2 * i, load_pair(source + 2 * c->stride * (int64_t)c->order[first + i]));
        fold_samples(c, first, count, samples, 1);
        const upcoming next = find_upcoming(c, first);
        weights_fill(&w, c, first, count);
        kernel(c, &w, c->cell + first, samples, count, &next);
    }
}
