/* SPDX-License-Identifier: BSD-3-Clause */
/* Window weights of a block of points, on each axis, by Horner's rule over all cells of the window at once.
 */
#ifndef NUFFT_CPU_WEIGHTS_H
#define NUFFT_CPU_WEIGHTS_H

#include "nufft/cpu/kernels.h"
#include "base/simd.h"

enum {
    BLOCK = 32,     /* points whose weights are computed ahead */
    MOST_TAPS = 32, /* space for one axis of a point */
};

/* The most vectors of a row of the window. Each size has loops of its own, or takes those of the next one. */
enum { MOST_VECTORS = VECTOR_REALS == 2 ? 24 : 12 };

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

#if VECTOR_BYTES == 64
#if REAL_BITS == 32
#define HALF_TWICE 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7
#define HALF_OF_EACH 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1
#else
#define HALF_TWICE 0, 1, 2, 3, 0, 1, 2, 3
#define HALF_OF_EACH 0, 0, 0, 0, 1, 1, 1, 1
#endif
INLINE vector load_twice(const REAL *p)
{
    const half h = load_half(p);
    return __builtin_shufflevector(h, h, HALF_TWICE);
}
INLINE vector half_of_each(const REAL *u)
{
    const vector both = repeated(load_pair(u));
    return __builtin_shufflevector(both, both, HALF_OF_EACH);
}

/* Windows of half a vector: two points in each, eight together */
INLINE void horner_pairs(const chunk *c, const REAL *u, REAL *out)
{
    const REAL *coefficients = (const REAL *)c->coefficients;
    const vector u0 = half_of_each(u), u1 = half_of_each(u + 2), u2 = half_of_each(u + 4),
                 u3 = half_of_each(u + 6);
    vector w0 = load_twice(coefficients), w1 = w0, w2 = w0, w3 = w0;
    for (int d = 1; d < c->terms; d++) {
        coefficients += IN_HALF;
        const vector next = load_twice(coefficients);
        w0 = w0 * u0 + next;
        w1 = w1 * u1 + next;
        w2 = w2 * u2 + next;
        w3 = w3 * u3 + next;
    }
    store(out, w0);
    store(out + IN_VECTOR, w1);
    store(out + 2 * IN_VECTOR, w2);
    store(out + 3 * IN_VECTOR, w3);
}
#else /* windows have whole vectors */
INLINE void horner_pairs(const chunk *c, const REAL *u, REAL *out)
{
    horner_wide(c, u, out, c->taps);
    horner_wide(c, u + 4, out + 4 * c->taps, c->taps);
}
#endif

/* Weights of points first to first + count - 1 of the chunk, count <= BLOCK */
static inline void weights_fill(weights *w, const chunk *c, int64_t first, int count)
{
    for (int axis = 0; axis < c->rank; axis++) {
        const REAL *u = (const REAL *)c->u[axis] + first; /* has space for whole eights */
        REAL *out = w->axis[axis];
        if (c->taps == IN_HALF) {
            for (int i = 0; i < count; i += 8, out += 8 * IN_HALF) horner_pairs(c, u + i, out);
            continue;
        }
        for (int i = 0; i < count; i += 4, out += 4 * c->taps)
            if (c->taps == IN_VECTOR)
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

/* The samples of the next block's points. They are asked for while this block's points are computed, as a
 * core waits for ten or so at a time. */
typedef struct upcoming {
    const uint32_t *order;
    int count;
    const REAL *samples;
    int64_t stride; /* of samples, in reals */
} upcoming;

INLINE upcoming find_upcoming(const chunk *c, int64_t first)
{
    int64_t next;
    upcoming u = {.samples = (const REAL *)c->samples + 2 * c->vectors[0], .stride = 2 * c->stride};
    u.count = ahead(c, first, &next);
    u.order = c->order + next;
    return u;
}

INLINE void ask_for(const upcoming *u, int i, int points)
{
    for (int p = i; p < i + points && p < u->count; p++)
        __builtin_prefetch(u->samples + u->stride * (int64_t)u->order[p]);
}

/* Replaces the samples of folded points by their conjugates; each sample has `numbers` complex numbers */
INLINE void fold_samples(const chunk *c, int64_t first, int count, REAL *samples, int numbers)
{
    if (!c->folded) return;
    for (int i = 0; i < count; i++, samples += 2 * numbers) {
        const REAL sign = (REAL)(1 - 2 * (int)c->folded[first + i]);
        for (int v = 0; v < numbers; v++) samples[2 * v + 1] *= sign;
    }
}

/* How many points from i on share the first cell, at most `most`. */
INLINE int run_length(const int32_t *cell, int i, int count, int most)
{
    int run = 1;
    while (run < most && i + run < count && cell[i + run] == cell[i]) run++;
    return run;
}

#endif
