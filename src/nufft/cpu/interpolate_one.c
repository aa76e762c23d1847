/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation of one vector, the transpose of spread_one.c: rows of the tile are weighted and added up, and
 * the row's own weights come last. Points that touch the same cells load them once. */
#include "nufft/cpu/weights.h"

INLINE void interpolate_points(const chunk *c, const weights *w, int first, int32_t cell, REAL *samples,
                               const int P, const int vectors, const int rank)
{
    const int ny = rank > 1 ? c->width : 1, nz = rank > 2 ? c->width : 1;
    const REAL *wy = w->axis[1] + first * c->taps, *wz = w->axis[2] + first * c->taps;
    vector total[4][MOST_VECTORS] = {0};
    for (int z = 0; z < nz; z++) {
        const REAL *row = (const REAL *)c->tile + 2 * (cell + z * c->plane);
        vector sum[4][MOST_VECTORS];
        UNROLL for (int p = 0; p < P; p++) UNROLL for (int k = 0; k < vectors; k++) sum[p][k] = (vector){0};
        for (int y = 0; y < ny; y++, row += 2 * c->row) UNROLL for (int k = 0; k < vectors; k++)
            {
                const vector cells = load(row + k * IN_VECTOR);
                UNROLL for (int p = 0; p < P; p++) sum[p][k] += cells * (ny > 1 ? wy[p * c->taps + y] : 1);
            }
        UNROLL for (int p = 0; p < P; p++) UNROLL for (int k = 0; k < vectors; k++) total[p][k] =
            nz > 1 ? total[p][k] + sum[p][k] * wz[p * c->taps + z] : sum[p][k];
    }
    UNROLL for (int p = 0; p < P; p++)
    {
        const REAL *x = w->axis[0] + (first + p) * c->taps;
        vector sample = {0};
        UNROLL for (int k = 0; k < vectors; k++) sample +=
            total[p][k] * each_twice(load_half(x + k * IN_HALF));
        store_pair(samples + 2 * p, sum_complex(sample));
    }
}

INLINE void interpolate_block(const chunk *c, const weights *w, const int32_t *cell, REAL *samples, int count,
                              const upcoming *next, const int vectors, const int rank)
{
    const int most = vectors == 1 ? 4 : 2;
    for (int i = 0; i < count;) {
        const int run = run_length(cell, i, count, most), points = run == 3 ? 2 : run;
        ask_for(next, i, points);
        if (most == 4 && points == 4)
            interpolate_points(c, w, i, cell[i], samples + 2 * i, 4, vectors, rank);
        else if (points == 2)
            interpolate_points(c, w, i, cell[i], samples + 2 * i, 2, vectors, rank);
        else
            interpolate_points(c, w, i, cell[i], samples + 2 * i, 1, vectors, rank);
        i += points;
    }
}

#define DEFINE_INTERPOLATE(n)                                                                         \
    static void interpolate_##n(const chunk *c, const weights *w, const int32_t *cell, REAL *samples, \
                                int count, const upcoming *next)                                      \
    {                                                                                                 \
        if (c->rank == 1)                                                                             \
            interpolate_block(c, w, cell, samples, count, next, n, 1);                                \
        else if (c->rank == 2)                                                                        \
            interpolate_block(c, w, cell, samples, count, next, n, 2);                                \
        else                                                                                          \
            interpolate_block(c, w, cell, samples, count, next, n, 3);                                \
    }
DEFINE_INTERPOLATE(1)
DEFINE_INTERPOLATE(2)
DEFINE_INTERPOLATE(3)
DEFINE_INTERPOLATE(4)
DEFINE_INTERPOLATE(5)
DEFINE_INTERPOLATE(6)
DEFINE_INTERPOLATE(8)
DEFINE_INTERPOLATE(12)
#if VECTOR_REALS == 2 /* rows end with a window of whole fours */
DEFINE_INTERPOLATE(7)
DEFINE_INTERPOLATE(9)
DEFINE_INTERPOLATE(10)
DEFINE_INTERPOLATE(16)
DEFINE_INTERPOLATE(20)
DEFINE_INTERPOLATE(24)
#else
#define interpolate_7 interpolate_8
#define interpolate_9 interpolate_12
#define interpolate_10 interpolate_12
#endif

typedef void block_kernel(const chunk *, const weights *, const int32_t *, REAL *, int, const upcoming *);

void VARIANT(nufft_interpolate_one)(const chunk *c)
{
    static block_kernel *const kernels[MOST_VECTORS + 1] = {
        NULL,
        interpolate_1,
        interpolate_2,
        interpolate_3,
        interpolate_4,
        interpolate_5,
        interpolate_6,
        interpolate_7,
        interpolate_8,
        interpolate_9,
        interpolate_10,
        interpolate_12,
        interpolate_12,
#if VECTOR_REALS == 2
        interpolate_16,
        interpolate_16,
        interpolate_16,
        interpolate_16,
        interpolate_20,
        interpolate_20,
        interpolate_20,
        interpolate_20,
        interpolate_24,
        interpolate_24,
        interpolate_24,
        interpolate_24,
#endif
    };
    block_kernel *const kernel = kernels[(2 * c->width + IN_VECTOR - 1) / IN_VECTOR];
    REAL *target = (REAL *)c->samples + 2 * c->vectors[0];
    weights w;
    for (int64_t first = 0; first < c->count; first += BLOCK) {
        const int count = c->count - first < BLOCK ? (int)(c->count - first) : BLOCK;
        REAL samples[2 * BLOCK];
        const upcoming next = find_upcoming(c, first);
        weights_fill(&w, c, first, count);
        kernel(c, &w, c->cell + first, samples, count, &next);
        fold_samples(c, first, count, samples, 1);
        for (int i = 0; i < count; i++)
            store_pair(target + 2 * c->stride * (int64_t)c->order[first + i], load_pair(samples + 2 * i));
    }
}
