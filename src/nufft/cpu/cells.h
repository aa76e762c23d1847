/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of 64 bytes that hold one number of each of several vectors; loops compiled for each width. */
#ifndef NUFFT_CPU_CELLS_H
#define NUFFT_CPU_CELLS_H

#include "nufft/cpu/weights.h"

enum { IN_CELL = 64 / (int)sizeof(REAL), CELL_VECTORS = IN_CELL / IN_VECTOR };

/* Samples of a block of points, side by side in cells; lanes without a vector are zero. */
static inline void cells_gather(const chunk *c, int64_t first, int count, REAL *cells)
{
    const REAL *source = (const REAL *)c->samples;
    if (c->vector_count < IN_CELL / 2) memset(cells, 0, sizeof(REAL) * IN_CELL * (size_t)count);
    for (int i = 0; i < count; i++) {
        const int64_t at = c->stride * (int64_t)c->order[first + i];
        for (int v = 0; v < c->vector_count; v++)
            store_pair(cells + IN_CELL * i + 2 * v, load_pair(source + 2 * (c->vectors[v] + at)));
    }
}

static inline void cells_scatter(const chunk *c, int64_t first, int count, const REAL *cells)
{
    REAL *target = (REAL *)c->samples;
    for (int i = 0; i < count; i++) {
        const int64_t at = c->stride * (int64_t)c->order[first + i];
        for (int v = 0; v < c->vector_count; v++)
            store_pair(target + 2 * (c->vectors[v] + at), load_pair(cells + IN_CELL * i + 2 * v));
    }
}

static inline void cells_prefetch(const chunk *c, int64_t first)
{
    int64_t next;
    const REAL *samples = (const REAL *)c->samples;
    const int count = ahead(c, first, &next);
    for (int i = 0; i < count; i++) {
        const int64_t at = c->stride * (int64_t)c->order[next + i];
        for (int v = 0; v < c->vector_count; v++) __builtin_prefetch(samples + 2 * (c->vectors[v] + at));
    }
}

typedef void cell_kernel(const chunk *, const weights *, const int32_t *, REAL *, int);

enum { LAST_WIDTH = 12 }; /* the last width with loops of its own; kernels[0] serves wider windows */
#define DEFINE_FOR_WIDTH(block, n)                                                                         \
    static void width_##n(const chunk *c, const weights *w, const int32_t *cell, REAL *samples, int count) \
    {                                                                                                      \
        block(c, w, cell, samples, count, n);                                                              \
    }
#define DEFINE_FOR_WIDTHS(block)                                                                           \
    DEFINE_FOR_WIDTH(block, 2)                                                                             \
    DEFINE_FOR_WIDTH(block, 3)                                                                             \
    DEFINE_FOR_WIDTH(block, 4)                                                                             \
    DEFINE_FOR_WIDTH(block, 5)                                                                             \
    DEFINE_FOR_WIDTH(block, 6)                                                                             \
    DEFINE_FOR_WIDTH(block, 7)                                                                             \
    DEFINE_FOR_WIDTH(block, 8)                                                                             \
    DEFINE_FOR_WIDTH(block, 9)                                                                             \
    DEFINE_FOR_WIDTH(block, 10)                                                                            \
    DEFINE_FOR_WIDTH(block, 11)                                                                            \
    DEFINE_FOR_WIDTH(block, 12)                                                                            \
    static void any_width(const chunk *c, const weights *w, const int32_t *cell, REAL *samples, int count) \
    {                                                                                                      \
        block(c, w, cell, samples, count, c->width);                                                       \
    }                                                                                                      \
    static cell_kernel *const kernels[LAST_WIDTH + 1] = {any_width, NULL,     width_2, width_3, width_4,   \
                                                         width_5,   width_6,  width_7, width_8, width_9,   \
                                                         width_10,  width_11, width_12};

#endif
