/* SPDX-License-Identifier: BSD-3-Clause */
/* Window weights of a block of points, on each axis, by Horner's rule over all cells of the window at once.
 */
#ifndef NUFFT_WEIGHTS_H
#define NUFFT_WEIGHTS_H

#include "nufft/kernels.h"
#include "base/simd.h"

enum {
    BLOCK = 32,     /* points whose weights are computed ahead */
    MOST_TAPS = 32, /* space for one axis of a point */
};

typedef struct weights {
    _Alignas(64) REAL axis[3][BLOCK * MOST_TAPS]; /* taps reals for each point; 1 where the axis is absent */
} weights;

/* Four points together, so that each coefficient is loaded once for them */
#define DEFINE_HORNER(name, type, in_type, load_it, store_it)             \
    INLINE void name(const chunk *c, const REAL *u, REAL *out, int taps)  \
    {                                                                     \
        for (int k = 0; k < taps; k += in_type) {                         \
            const REAL *coefficients = (const REAL *)c->coefficients + k; \
            type w0 = load_it(coefficients), w1 = w0, w2 = w0, w3 = w0;   \
            for (int d = 1; d < c->terms; d++) {                          \
                coefficients += taps;                                     \
                const type next = load_it(coefficients);                  \
                w0 = w0 * u[0] + next;                                    \
                w1 = w1 * u[1] + next;                                    \
                w2 = w2 * u[2] + next;                                    \
                w3 = w3 * u[3] + next;                                    \
            }                                                             \
            store_it(out + k, w0);                                        \
            store_it(out + taps + k, w1);                                 \
            store_it(out + 2 * taps + k, w2);                             \
            store_it(out + 3 * taps + k, w3);                             \
        }                                                                 \
    }
DEFINE_HORNER(horner_wide, vector, IN_VECTOR, load, store)
DEFINE_HORNER(horner_half, half, IN_HALF, load_half, store_half)

/* Weights of points first to first + count - 1 of the chunk, count <= BLOCK */
static inline void weights_fill(weights *w, const chunk *c, int64_t first, int count)
{
    for (int axis = 0; axis < c->rank; axis++) {
        const REAL *u = (const REAL *)c->u[axis] + first; /* has space for whole fours */
        REAL *out = w->axis[axis];
        for (int i = 0; i < count; i += 4, out += 4 * c->taps)
            if (c->taps == IN_HALF)
                horner_half(c, u + i, out, IN_HALF);
            else if (c->taps == IN_VECTOR)
                horner_wide(c, u + i, out, IN_VECTOR);
            else
                horner_wide(c, u + i, out, c->taps);
    }
}

/* Asks for what later blocks will need. Returns how many points the next block has, and in *begin where it
 * begins: their samples lie anywhere in memory, and the caller asks for those. */
static inline int ahead(const chunk *c, int64_t first, int64_t *begin)
{
    enum { DISTANCE = 8 * BLOCK };
    for (int i = 0; i < BLOCK; i += 64 / (int)sizeof(REAL))
        for (int axis = 0; axis < c->rank; axis++)
            __builtin_prefetch((const REAL *)c->u[axis] + first + DISTANCE + i);
    for (int i = 0; i < BLOCK; i += 64 / (int)sizeof *c->cell) {
        __builtin_prefetch(c->cell + first + DISTANCE + i);
        __builtin_prefetch(c->order + first + DISTANCE + i);
    }
    *begin = first + BLOCK;
    return c->count - *begin < BLOCK ? (int)(c->count - *begin) : BLOCK;
}

/* How many points from i on share the first cell, at most `most`. */
INLINE int run_length(const int32_t *cell, int i, int count, int most)
{
    int run = 1;
    while (run < most && i + run < count && cell[i + run] == cell[i]) run++;
    return run;
}

#endif
