/* SPDX-License-Identifier: BSD-3-Clause */
/* Between lines of memory and cells. Rows are transposed in registers (transpose.h); whatever does not fill
 * that goes point by point. */
#include "fft/cpu/simd_batch/transpose.h"

/* C points of `lines` lanes: of all of them where the compiler sees that they are. */
INLINE void gather_rows(REAL *re, REAL *im, const REAL *from, int64_t line, int64_t lines)
{
    vector low[C], high[C];
    load_rows(low, from, line, lines);
    load_rows(high, from + C * line, line, lines - C);
    UNROLL for (int i = 0; i < C; i++)
    {
        store(re + i * CELL, __builtin_shufflevector(low[i], high[i], EVENS));
        store(im + i * CELL, __builtin_shufflevector(low[i], high[i], ODDS));
    }
}

INLINE void scatter_rows(REAL *to, int64_t line, const REAL *cells_re, const REAL *cells_im, REAL factor,
                         int64_t lines)
{
    vector low[C], high[C];
    UNROLL for (int i = 0; i < C; i++)
    {
        const vector re = load(cells_re + i * CELL) * factor, im = load(cells_im + i * CELL) * factor;
        low[i] = __builtin_shufflevector(re, im, ZIP_LOW);
        high[i] = __builtin_shufflevector(re, im, ZIP_HIGH);
    }
    store_rows(to, line, low, lines);
    store_rows(to + C * line, line, high, lines - C);
}

/* One point of all lanes, which lie side by side. */
INLINE void gather_column(REAL *re, REAL *im, const REAL *from, int64_t lines)
{
    const vector a = load_some(from, 2 * lines), b = load_some(from + IN_VECTOR, 2 * lines - IN_VECTOR);
    store(re, __builtin_shufflevector(a, b, EVENS));
    store(im, __builtin_shufflevector(a, b, ODDS));
}

INLINE void scatter_column(REAL *to, const REAL *cell_re, const REAL *cell_im, REAL factor, int64_t lines)
{
    const vector re = load(cell_re) * factor, im = load(cell_im) * factor;
    store_some(to, __builtin_shufflevector(re, im, ZIP_LOW), 2 * lines);
    store_some(to + IN_VECTOR, __builtin_shufflevector(re, im, ZIP_HIGH), 2 * lines - IN_VECTOR);
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

void VARIANT(simd_batch_gather)(void *cells, const line_memory *in, int64_t first, int64_t count,
                                int64_t lines, bool swap, bool prefetch)
{
    const int64_t stride = 2 * in->stride, line = 2 * in->line_stride;
    const REAL *from = (const REAL *)in->at + first * stride;
    REAL *re = (REAL *)cells + (swap ? IN_VECTOR : 0), *im = (REAL *)cells + (swap ? 0 : IN_VECTOR);
    int64_t i = 0;
    if (lines == IN_VECTOR && stride == 2)
        for (; i < count && count >= C; i += C) {
            if (i > count - C) i = count - C; /* some again, rather than one by one */
            if (prefetch) prefetch_rows(from + i * stride, line);
            gather_rows(re + i * CELL, im + i * CELL, from + i * stride, line, IN_VECTOR);
        }
    else if (stride == 2) /* a group that is not full */
        for (; i < count && count >= C; i += C) {
            if (i > count - C) i = count - C;
            gather_rows(re + i * CELL, im + i * CELL, from + i * stride, line, lines);
        }
    if (lines == IN_VECTOR && line == 2)
        for (; i < count; i++) gather_column(re + i * CELL, im + i * CELL, from + i * stride, IN_VECTOR);
    else if (line == 2)
        for (; i < count; i++) gather_column(re + i * CELL, im + i * CELL, from + i * stride, lines);
    for (; i < count; i++) gather_any(re + i * CELL, im + i * CELL, from + i * stride, line, lines);
}

void VARIANT(simd_batch_scatter)(const line_memory *out, const void *cells, int64_t first, int64_t count,
                                 int64_t lines, double factor, bool swap, bool prefetch)
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
            if (prefetch) prefetch_rows(to + i * stride, line);
            scatter_rows(to + i * stride, line, re + i * CELL, im + i * CELL, f, IN_VECTOR);
        }
    else if (stride == 2)
        for (; i < count && count >= C; i += C) {
            if (i > count - C) i = count - C;
            scatter_rows(to + i * stride, line, re + i * CELL, im + i * CELL, f, lines);
        }
    if (lines == IN_VECTOR && line == 2)
        for (; i < count; i++) scatter_column(to + i * stride, re + i * CELL, im + i * CELL, f, IN_VECTOR);
    else if (line == 2)
        for (; i < count; i++) scatter_column(to + i * stride, re + i * CELL, im + i * CELL, f, lines);
    for (; i < count; i++) scatter_any(to + i * stride, line, re + i * CELL, im + i * CELL, lines, f);
}
