/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of memory are transposed into cells, and back, in registers, C x C complex numbers at a time (Eklundh,
 * IEEE Trans. Computers C-21:801, 1972), C as many as a vector holds. For files that are compiled for each
 * instruction set. */
#ifndef FFT_CPU_SIMD_BATCH_TRANSPOSE_H
#define FFT_CPU_SIMD_BATCH_TRANSPOSE_H

#include "fft/cpu/simd_batch/simd_batch.h"

#include "base/simd.h"
#include "fft/cpu/line/prefetch.h"

enum { CELL = 2 * IN_VECTOR, C = IN_HALF };

/* Step s of the transposition: place j of the first row takes from a or, s places before, from b. */
#define FIRST(j, s) ((j) & (s) ? C + (j) - (s) : (j))
#define SECOND(j, s) ((j) & (s) ? C + (j) : (j) + (s))
#define PAIR(OF, j, s) 2 * OF(j, s), 2 * OF(j, s) + 1
#define TWO(OF, j, s) PAIR(OF, j, s), PAIR(OF, j + 1, s)
#define FOUR(OF, j, s) TWO(OF, j, s), TWO(OF, j + 2, s)
#if VECTOR_REALS == 16
#define ALL(OF, s) FOUR(OF, 0, s), FOUR(OF, 4, s)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define JOIN 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define LOW 0, 1, 2, 3, 4, 5, 6, 7
#define HIGH 8, 9, 10, 11, 12, 13, 14, 15
#elif VECTOR_REALS == 8
#define ALL(OF, s) FOUR(OF, 0, s)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define JOIN 0, 1, 2, 3, 4, 5, 6, 7
#define LOW 0, 1, 2, 3
#define HIGH 4, 5, 6, 7
#elif VECTOR_REALS == 4
#define ALL(OF, s) TWO(OF, 0, s)
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#define JOIN 0, 1, 2, 3
#define LOW 0, 1
#define HIGH 2, 3
#else
#define EVENS 0, 2
#define ODDS 1, 3
#define ZIP_LOW 0, 2
#define ZIP_HIGH 1, 3
#endif

#define STEP(r, s)                                                  \
    UNROLL for (int i = 0; i < C; i++) if (!(i & (s)))              \
    {                                                               \
        const vector a = r[i], b = r[i + (s)];                      \
        r[i] = __builtin_shufflevector(a, b, ALL(FIRST, s));        \
        r[i + (s)] = __builtin_shufflevector(a, b, ALL(SECOND, s)); \
    }

/* All steps but the largest, which loads and stores of half vectors make. */
INLINE void transpose_halves(vector *r)
{
#if VECTOR_REALS >= 8
    STEP(r, 1)
#endif
#if VECTOR_REALS == 16
    STEP(r, 2)
#endif
    (void)r;
}

#if VECTOR_REALS > 2
/* Rows from index `lines` on are not there, and 0. */
INLINE half some_row(const REAL *row, int64_t l, int64_t lines)
{
    return l < lines ? load_half(row) : (half){0};
}

/* C points each of C rows, before they are transposed: halves of rows i and i + C / 2 are in one vector. */
INLINE void load_halves(vector *r, const REAL *from, int64_t line, int64_t lines)
{
    UNROLL for (int i = 0; i < C / 2; i++)
    {
        const int j = i + C / 2;
        const REAL *a = from + i * line, *b = from + j * line;
        r[i] = __builtin_shufflevector(some_row(a, i, lines), some_row(b, j, lines), JOIN);
        r[j] =
            __builtin_shufflevector(some_row(a + IN_HALF, i, lines), some_row(b + IN_HALF, j, lines), JOIN);
    }
}

INLINE void store_halves(REAL *to, int64_t line, const vector *r, int64_t lines)
{
    UNROLL for (int i = 0; i < C / 2; i++)
    {
        const int j = i + C / 2;
        REAL *a = to + i * line, *b = to + j * line;
        if (i < lines) {
            store_half(a, __builtin_shufflevector(r[i], r[i], LOW));
            store_half(a + IN_HALF, __builtin_shufflevector(r[j], r[j], LOW));
        }
        if (j < lines) {
            store_half(b, __builtin_shufflevector(r[i], r[i], HIGH));
            store_half(b + IN_HALF, __builtin_shufflevector(r[j], r[j], HIGH));
        }
    }
}

#else /* a vector is one point */
INLINE void load_halves(vector *r, const REAL *from, int64_t line, int64_t lines)
{
    (void)line;
    r[0] = lines > 0 ? load(from) : (vector){0};
}

INLINE void store_halves(REAL *to, int64_t line, const vector *r, int64_t lines)
{
    (void)line;
    if (lines > 0) store(to, r[0]);
}
#endif

INLINE void load_rows(vector *r, const REAL *from, int64_t line, int64_t lines)
{
    load_halves(r, from, line, lines);
    transpose_halves(r);
}

INLINE void store_rows(REAL *to, int64_t line, vector *r, int64_t lines)
{
    transpose_halves(r);
    store_halves(to, line, r, lines);
}

/* The same C points of the next group's lines */
INLINE void prefetch_rows(const REAL *rows, int64_t line)
{
    UNROLL for (int l = 0; l < IN_VECTOR; l++)
        prefetch_far(rows, (IN_VECTOR + l) * line * (int64_t)sizeof(REAL));
}

#endif
