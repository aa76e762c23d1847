/* SPDX-License-Identifier: BSD-3-Clause */
/* Between lines of memory and cells. Rows are turned in registers, C x C complex numbers at a time (Eklundh,
 * IEEE Trans. Computers C-21:801, 1972), C as many as a vector holds; whatever does not fill that goes number
 * by number. */
#include "fft/host/across.h"

#include "base/simd.h"
#include "fft/host/ahead.h"

enum { CELL = 2 * IN_VECTOR, C = IN_HALF };

/* Step s of the turning: place j of the first row takes from a or, s places before, from b. */
#define FIRST(j, s) ((j) & (s) ? C + (j) - (s) : (j))
#define SECOND(j, s) ((j) & (s) ? C + (j) : (j) + (s))
#define PAIR(OF, j, s) 2 * OF(j, s), 2 * OF(j, s) + 1
#define TWO(OF, j, s) PAIR(OF, j, s), PAIR(OF, j + 1, s)
#define FOUR(OF, j, s) TWO(OF, j, s), TWO(OF, j + 2, s)
#if VECTOR_BYTES / REAL_BITS == 2
#define ALL(OF, s) FOUR(OF, 0, s), FOUR(OF, 4, s)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define JOIN 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define LOW 0, 1, 2, 3, 4, 5, 6, 7
#define HIGH 8, 9, 10, 11, 12, 13, 14, 15
#elif VECTOR_BYTES / REAL_BITS == 1
#define ALL(OF, s) FOUR(OF, 0, s)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define JOIN 0, 1, 2, 3, 4, 5, 6, 7
#define LOW 0, 1, 2, 3
#define HIGH 4, 5, 6, 7
#else
#define ALL(OF, s) TWO(OF, 0, s)
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#define JOIN 0, 1, 2, 3
#define LOW 0, 1
#define HIGH 2, 3
#endif

#define STEP(r, s)                                                  \
    UNROLL for (int i = 0; i < C; i++) if (!(i & (s)))              \
    {                                                               \
        const vector a = r[i], b = r[i + (s)];                      \
        r[i] = __builtin_shufflevector(a, b, ALL(FIRST, s));        \
        r[i + (s)] = __builtin_shufflevector(a, b, ALL(SECOND, s)); \
    }

/* All steps but the largest, which loads and stores of half vectors make. */
INLINE void turn_halves(vector *r)
{
#if VECTOR_BYTES / REAL_BITS >= 1
    STEP(r, 1)
#endif
#if VECTOR_BYTES / REAL_BITS == 2
    STEP(r, 2)
#endif
    (void)r;
}

INLINE void load_rows(vector *r, const REAL *from, int64_t line)
{
    UNROLL for (int i = 0; i < C / 2; i++)
    {
        const REAL *a = from + i * line, *b = from + (i + C / 2) * line;
        r[i] = __builtin_shufflevector(load_half(a), load_half(b), JOIN);
        r[i + C / 2] = __builtin_shufflevector(load_half(a + IN_HALF), load_half(b + IN_HALF), JOIN);
    }
    turn_halves(r);
}

INLINE void store_rows(REAL *to, int64_t line, vector *r)
{
    turn_halves(r);
    UNROLL for (int i = 0; i < C / 2; i++)
    {
        REAL *a = to + i * line, *b = to + (i + C / 2) * line;
        store_half(a, __builtin_shufflevector(r[i], r[i], LOW));
        store_half(b, __builtin_shufflevector(r[i], r[i], HIGH));
        store_half(a + IN_HALF, __builtin_shufflevector(r[i + C / 2], r[i + C / 2], LOW));
        store_half(b + IN_HALF, __builtin_shufflevector(r[i + C / 2], r[i + C / 2], HIGH));
    }
}

/* C points of all lanes. */
INLINE void gather_rows(REAL *re, REAL *im, const REAL *from, int64_t line)
{
    vector low[C], high[C];
    load_rows(low, from, line);
    load_rows(high, from + C * line, line);
    UNROLL for (int i = 0; i < C; i++)
    {
        store(re + i * CELL, __builtin_shufflevector(low[i], high[i], EVENS));
        store(im + i * CELL, __builtin_shufflevector(low[i], high[i], ODDS));
    }
}

INLINE void scatter_rows(REAL *to, int64_t line, const REAL *cells_re, const REAL *cells_im, REAL factor)
{
    vector low[C], high[C];
    UNROLL for (int i = 0; i < C; i++)
    {
        const vector re = load(cells_re + i * CELL) * factor, im = load(cells_im + i * CELL) * factor;
        low[i] = __builtin_shufflevector(re, im, ZIP_LOW);
        high[i] = __builtin_shufflevector(re, im, ZIP_HIGH);
    }
    store_rows(to, line, low);
    store_rows(to + C * line, line, high);
}

/* One point of all lanes, which lie side by side. */
INLINE void gather_column(REAL *re, REAL *im, const REAL *from)
{
    const vector a = load(from), b = load(from + IN_VECTOR);
    store(re, __builtin_shufflevector(a, b, EVENS));
    store(im, __builtin_shufflevector(a, b, ODDS));
}

INLINE void scatter_column(REAL *to, const REAL *cell_re, const REAL *cell_im, REAL factor)
{
    const vector re = load(cell_re) * factor, im = load(cell_im) * factor;
    store(to, __builtin_shufflevector(re, im, ZIP_LOW));
    store(to + IN_VECTOR, __builtin_shufflevector(re, im, ZIP_HIGH));
}

/* The same C points of the next group's lines */
INLINE void fetch_rows(const REAL *rows, int64_t line)
{
    UNROLL for (int l = 0; l < IN_VECTOR; l++)
        fetch_ahead(rows, (IN_VECTOR + l) * line * (int64_t)sizeof(REAL));
}

static void gather_any(REAL *re, REAL *im, const REAL *from, int64_t line, int64_t lines)
{
    for (int64_t l = 0; l < lines; l++) {
        re[l] = from[l * line];
        im[l] = from[l * line + 1];
    }
    for (int64_t l = lines; l < IN_VECTOR; l++) re[l] = im[l] = 0;
}

static void scatter_any(REAL *to, int64_t line, const REAL *re, const REAL *im, int64_t lines, REAL factor)
{
    for (int64_t l = 0; l < lines; l++) {
        to[l * line] = re[l] * factor;
        to[l * line + 1] = im[l] * factor;
    }
}

void VARIANT(across_gather)(void *cells, const line_memory *in, int64_t first, int64_t count, int64_t lines,
                            bool swap, bool ahead)
{
    const int64_t stride = 2 * in->stride, line = 2 * in->line_stride;
    const REAL *from = (const REAL *)in->at + first * stride;
    REAL *re = (REAL *)cells + (swap ? IN_VECTOR : 0), *im = (REAL *)cells + (swap ? 0 : IN_VECTOR);
    int64_t i = 0;
    if (lines == IN_VECTOR && stride == 2)
        for (; i < count && count >= C; i += C) {
            if (i > count - C) i = count - C; /* some again, rather than one by one */
            if (ahead) fetch_rows(from + i * stride, line);
            gather_rows(re + i * CELL, im + i * CELL, from + i * stride, line);
        }
    if (lines == IN_VECTOR && line == 2)
        for (; i < count; i++) gather_column(re + i * CELL, im + i * CELL, from + i * stride);
    for (; i < count; i++) gather_any(re + i * CELL, im + i * CELL, from + i * stride, line, lines);
}

void VARIANT(across_scatter)(const line_memory *out, const void *cells, int64_t first, int64_t count,
                             int64_t lines, double factor, bool swap, bool ahead)
{
    const int64_t stride = 2 * out->stride, line = 2 * out->line_stride;
    REAL *to = (REAL *)out->at + first * stride;
    const REAL *re = (const REAL *)cells + (swap ? IN_VECTOR : 0),
               *im = (const REAL *)cells + (swap ? 0 : IN_VECTOR);
    const REAL f = (REAL)factor;
    int64_t i = 0;
    if (lines == IN_VECTOR && stride == 2)
        for (; i < count && count >= C; i += C) {
            if (i > count - C) i = count - C;
            if (ahead) fetch_rows(to + i * stride, line);
            scatter_rows(to + i * stride, line, re + i * CELL, im + i * CELL, f);
        }
    if (lines == IN_VECTOR && line == 2)
        for (; i < count; i++) scatter_column(to + i * stride, re + i * CELL, im + i * CELL, f);
    for (; i < count; i++) scatter_any(to + i * stride, line, re + i * CELL, im + i * CELL, lines, f);
}
