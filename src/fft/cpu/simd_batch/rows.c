/* SPDX-License-Identifier: BSD-3-Clause */
/* Between rows of memory and cells, as move.c, times an array or results by one scalar, in registers
 * on the way: before rows are transposed where an array has a row for each of them, else when they are cells.
 */
#include "fft/cpu/simd_batch/transpose.h"

/* The same factor for all; for each point one for all rows; or rows of them. */
typedef enum weights_kind {
    ALL_ALIKE,
    POINTS_REAL,
    POINTS_COMPLEX,
    ROWS_REAL,
    ROWS_COMPLEX,
    WEIGHTS_KINDS
} weights_kind;

#if VECTOR_REALS == 16
#define RE_TWICE 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define IM_TWICE 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define MINUS_PLUS -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1
#define JOIN_HALF 0, 1, 2, 3, 4, 5, 6, 7
#elif VECTOR_REALS == 8
#define RE_TWICE 0, 0, 2, 2, 4, 4, 6, 6
#define IM_TWICE 1, 1, 3, 3, 5, 5, 7, 7
#define MINUS_PLUS -1, 1, -1, 1, -1, 1, -1, 1
#define JOIN_HALF 0, 1, 2, 3
#elif VECTOR_REALS == 4
#define RE_TWICE 0, 0, 2, 2
#define IM_TWICE 1, 1, 3, 3
#define MINUS_PLUS -1, 1, -1, 1
#define JOIN_HALF 0, 1
#else
#define RE_TWICE 0, 0
#define IM_TWICE 1, 1
#define MINUS_PLUS -1, 1
#endif

#if VECTOR_REALS > 2
typedef REAL quarter __attribute__((vector_size(VECTOR_BYTES / 4)));
typedef REAL quarter_anywhere
    __attribute__((vector_size(VECTOR_BYTES / 4), aligned(sizeof(REAL)), may_alias));

INLINE quarter some_reals(const REAL *row, int64_t l, int64_t lines)
{
    return l < lines ? (quarter) * (const quarter_anywhere *)row : (quarter){0};
}

/* Loads the real weights of halves of rows, in the order of load_halves. */
INLINE void load_reals(vector *r, const REAL *from, int64_t line, int64_t lines)
{
    UNROLL for (int i = 0; i < C / 2; i++)
    {
        const int j = i + C / 2;
        const REAL *a = from + i * line, *b = from + j * line;
        const quarter p = some_reals(a, i, lines), q = some_reals(b, j, lines),
                      s = some_reals(a + C / 2, i, lines), t = some_reals(b + C / 2, j, lines);
        r[i] = each_twice(__builtin_shufflevector(p, q, JOIN_HALF));
        r[j] = each_twice(__builtin_shufflevector(s, t, JOIN_HALF));
    }
}

#else /* a vector is one point */
INLINE void load_reals(vector *r, const REAL *from, int64_t line, int64_t lines)
{
    (void)line;
    r[0] = lines > 0 ? (vector){from[0], from[0]} : (vector){0};
}
#endif

/* Rows as load_halves has them, times C points for each. */
INLINE void multiply_rows(vector *r, const simd_batch_weights *w, const REAL *at, int64_t lines,
                          const int how)
{
    const vector sign = {MINUS_PLUS};
    vector by[C];
    if (how == ROWS_REAL) {
        load_reals(by, at, w->line, lines);
        UNROLL for (int i = 0; i < C; i++) r[i] *= by[i];
    } else {
        load_halves(by, at, w->line, lines);
        UNROLL for (int i = 0; i < C; i++)
        {
            const vector im = __builtin_shufflevector(by[i], by[i], IM_TWICE) * (sign * (REAL)w->sign);
            r[i] = r[i] * __builtin_shufflevector(by[i], by[i], RE_TWICE) + swapped(r[i]) * im;
        }
    }
}

/* A point of all lanes, times its weight. */
INLINE void multiply_point(vector *re, vector *im, const simd_batch_weights *w, const REAL *at, const int how)
{
    const vector x = *re, y = *im;
    if (how == POINTS_REAL) {
        *re = x * at[0];
        *im = y * at[0];
        return;
    }
    const REAL c = how == ALL_ALIKE ? (REAL)w->re : at[0],
               s = how == ALL_ALIKE ? (REAL)w->im : (REAL)w->sign * at[1];
    *re = x * c - y * s;
    *im = x * s + y * c;
}

/* C points of `lines` lanes. at: the array's points for these of the first row. */
INLINE void gather_multiplied(REAL *re, REAL *im, const REAL *from, int64_t line, int64_t lines,
                              const simd_batch_weights *w, const REAL *at, const int how)
{
    vector low[C], high[C];
    load_halves(low, from, line, lines);
    load_halves(high, from + C * line, line, lines - C);
    if (how >= ROWS_REAL) {
        multiply_rows(low, w, at, lines, how);
        multiply_rows(high, w, at + C * w->line, lines - C, how);
    }
    transpose_halves(low);
    transpose_halves(high);
    UNROLL for (int i = 0; i < C; i++)
    {
        vector x = __builtin_shufflevector(low[i], high[i], EVENS),
               y = __builtin_shufflevector(low[i], high[i], ODDS);
        if (how < ROWS_REAL) multiply_point(&x, &y, w, at + i * w->point, how);
        store(re + i * CELL, x);
        store(im + i * CELL, y);
    }
}

INLINE void scatter_multiplied(REAL *to, int64_t line, const REAL *cells_re, const REAL *cells_im,
                               REAL factor, int64_t lines, const simd_batch_weights *w, const REAL *at,
                               const int how)
{
    vector low[C], high[C];
    UNROLL for (int i = 0; i < C; i++)
    {
        vector re = load(cells_re + i * CELL) * factor, im = load(cells_im + i * CELL) * factor;
        if (how < ROWS_REAL) multiply_point(&re, &im, w, at + i * w->point, how);
        low[i] = __builtin_shufflevector(re, im, ZIP_LOW);
        high[i] = __builtin_shufflevector(re, im, ZIP_HIGH);
    }
    transpose_halves(low);
    transpose_halves(high);
    if (how >= ROWS_REAL) {
        multiply_rows(low, w, at, lines, how);
        multiply_rows(high, w, at + C * w->line, lines - C, how);
    }
    store_halves(to, line, low, lines);
    store_halves(to + C * line, line, high, lines - C);
}

static int weights_kind_of(const simd_batch_weights *w)
{
    if (!w->at) return ALL_ALIKE;
    return w->line ? (w->real ? ROWS_REAL : ROWS_COMPLEX) : w->real ? POINTS_REAL : POINTS_COMPLEX;
}

/* Cells of a part of the rows. */
typedef struct part {
    REAL *re, *im, *memory;
    int64_t line, count, lines;
    const simd_batch_weights *w;
    REAL factor;
    bool prefetch;
} part;

/* All of it, C points at a time; the last time some again. */
INLINE void each_part(const part *p, int64_t lines, const bool out, const int how)
{
    for (int64_t i = 0; i < p->count; i += C) {
        if (i > p->count - C) i = p->count - C;
        REAL *const memory = p->memory + 2 * i, *const re = p->re + i * CELL, *const im = p->im + i * CELL;
        const REAL *at = (const REAL *)p->w->at + i * p->w->point;
        if (p->prefetch) prefetch_rows(memory, p->line);
        if (out)
            scatter_multiplied(memory, p->line, re, im, p->factor, lines, p->w, at, how);
        else
            gather_multiplied(re, im, memory, p->line, lines, p->w, at, how);
    }
}

#define PART(NAME, OUT, HOW)                   \
    static void NAME(const part *p)            \
    {                                          \
        if (p->lines == IN_VECTOR)             \
            each_part(p, IN_VECTOR, OUT, HOW); \
        else                                   \
            each_part(p, p->lines, OUT, HOW);  \
    }
#define PARTS(NAME, OUT)                                                                                     \
    PART(NAME##_all, OUT, ALL_ALIKE)                                                                         \
    PART(NAME##_points_real, OUT, POINTS_REAL)                                                               \
    PART(NAME##_points, OUT, POINTS_COMPLEX)                                                                 \
    PART(NAME##_rows_real, OUT, ROWS_REAL)                                                                   \
    PART(NAME##_rows, OUT, ROWS_COMPLEX)                                                                     \
    static void (*const NAME[WEIGHTS_KINDS])(const part *) = {NAME##_all, NAME##_points_real, NAME##_points, \
                                                              NAME##_rows_real, NAME##_rows};
PARTS(from_rows, false)
PARTS(to_rows, true)

static part part_of(const line_memory *m, REAL *cells, int64_t first, int64_t count, int64_t lines,
                    const simd_batch_weights *w, bool swap, bool prefetch)
{
    return (part){.re = cells + (swap ? IN_VECTOR : 0),
                  .im = cells + (swap ? 0 : IN_VECTOR),
                  .memory = (REAL *)m->at + 2 * first,
                  .line = 2 * m->line_stride,
                  .count = count,
                  .lines = lines,
                  .w = w,
                  .factor = 1,
                  .prefetch = prefetch && lines == IN_VECTOR};
}

void VARIANT(simd_batch_gather_multiplied)(void *cells, const line_memory *in, int64_t first, int64_t count,
                                           int64_t lines, const simd_batch_weights *w, bool swap,
                                           bool prefetch)
{
    const part p = part_of(in, cells, first, count, lines, w, swap, prefetch);
    from_rows[weights_kind_of(w)](&p);
}

void VARIANT(simd_batch_scatter_multiplied)(const line_memory *out, const void *cells, int64_t first,
                                            int64_t count, int64_t lines, double factor,
                                            const simd_batch_weights *w, bool swap, bool prefetch)
{
    part p = part_of(out, (REAL *)cells, first, count, lines, w, swap, prefetch);
    p.factor = (REAL)factor;
    to_rows[weights_kind_of(w)](&p);
}
