/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves lines to and from cells. Contiguous lines are transposed in registers, in squares of a vector by a
 * vector. Lines side by side already have the order of cells, except that real and imaginary parts are
 * separated. All other lines are moved point by point. */
#include "fft/cpu/any_length/move.h"
#include "base/simd.h"
#include "fft/cpu/line/prefetch.h"

enum { CELL = 2 * IN_VECTOR, POINTS = IN_HALF };

/* ---- squares ---- */

#if VECTOR_REALS == 16
#define LANES(F, d)                                                                                     \
    F(0, d), F(1, d), F(2, d), F(3, d), F(4, d), F(5, d), F(6, d), F(7, d), F(8, d), F(9, d), F(10, d), \
        F(11, d), F(12, d), F(13, d), F(14, d), F(15, d)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOWER_ZIP 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define UPPER_ZIP 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif VECTOR_REALS == 8
#define LANES(F, d) F(0, d), F(1, d), F(2, d), F(3, d), F(4, d), F(5, d), F(6, d), F(7, d)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define LOWER_ZIP 0, 8, 1, 9, 2, 10, 3, 11
#define UPPER_ZIP 4, 12, 5, 13, 6, 14, 7, 15
#elif VECTOR_REALS == 4
#define LANES(F, d) F(0, d), F(1, d), F(2, d), F(3, d)
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define LOWER_ZIP 0, 4, 1, 5
#define UPPER_ZIP 2, 6, 3, 7
#else
#define LANES(F, d) F(0, d), F(1, d)
#define EVENS 0, 2
#define ODDS 1, 3
#define LOWER_ZIP 0, 2
#define UPPER_ZIP 1, 3
#endif
/* Lanes whose index has bit d come from the other vector, d lanes away. */
#define LOWER(l, d) ((l) & (d) ? IN_VECTOR + (l) - (d) : (l))
#define UPPER(l, d) ((l) & (d) ? IN_VECTOR + (l) : (l) + (d))

#define EXCHANGE(d)                                                  \
    UNROLL for (int i = 0; i < IN_VECTOR; i++) if (!(i & (d)))       \
    {                                                                \
        const vector a = r[i], b = r[i + (d)];                       \
        r[i] = __builtin_shufflevector(a, b, LANES(LOWER, d));       \
        r[i + (d)] = __builtin_shufflevector(a, b, LANES(UPPER, d)); \
    }

/* r[i] lane j becomes r[j] lane i (Eklundh 1972). */
INLINE void transpose_square(vector *r)
{
    EXCHANGE(1)
#if VECTOR_REALS >= 4
    EXCHANGE(2)
#endif
#if VECTOR_REALS >= 8
    EXCHANGE(4)
#endif
#if VECTOR_REALS >= 16
    EXCHANGE(8)
#endif
}

/* ---- one point, one line ---- */

static void load_singly(REAL *cells, const int32_t *place, const any_length_layout *s, int64_t first,
                        int64_t count, int real_part)
{
    const REAL *at = s->at;
    for (int64_t j = 0; j < count; j++) {
        REAL *cell = cells + (int64_t)place[j] * CELL;
        const REAL *point = at + (first + j) * s->point;
        for (int64_t l = 0; l < IN_VECTOR; l++) {
            cell[real_part + l] = l < s->lines ? point[l * s->line] : 0;
            cell[IN_VECTOR - real_part + l] = l < s->imaginary_lines ? point[l * s->line + s->imaginary] : 0;
        }
    }
}

static void store_singly(const any_length_layout *s, const REAL *cells, const int32_t *place, int64_t first,
                         int64_t count, int real_part, REAL factor)
{
    REAL *at = s->at;
    for (int64_t j = 0; j < count; j++) {
        const REAL *cell = cells + (int64_t)place[j] * CELL;
        REAL *point = at + (first + j) * s->point;
        for (int64_t l = 0; l < s->lines; l++) point[l * s->line] = factor * cell[real_part + l];
        for (int64_t l = 0; l < s->imaginary_lines; l++)
            point[l * s->line + s->imaginary] = factor * cell[IN_VECTOR - real_part + l];
    }
}

/* Prefetches the points of the next lines that correspond to `rows`. */
INLINE void prefetch_rows(const any_length_layout *s, const REAL *rows)
{
    if (s->prefetch)
        UNROLL for (int l = 0; l < IN_VECTOR; l++)
            prefetch_far(rows, (IN_VECTOR + l) * s->line * (int64_t)sizeof(REAL));
}

/* ---- contiguous complex lines: a half vector of points at a time ---- */

static void load_rows(REAL *cells, const int32_t *place, const any_length_layout *s, const REAL *at,
                      int real_part)
{
    vector r[IN_VECTOR];
    prefetch_rows(s, at);
    UNROLL for (int l = 0; l < IN_VECTOR; l++) r[l] = load(at + (l < s->lines ? l : s->lines - 1) * s->line);
    transpose_square(r);
    UNROLL for (int j = 0; j < POINTS; j++)
    {
        REAL *cell = cells + (int64_t)place[j] * CELL;
        store(cell + real_part, r[2 * j]);
        store(cell + IN_VECTOR - real_part, r[2 * j + 1]);
    }
}

/* Some pieces are gathered first, so that each line gets several cache lines at a time: lines a multiple of
 * at strides of 4096 bytes push each other out of the nearest cache before a second piece comes. */
enum { PIECES = 4 };

static void transpose_to_rows(REAL *rows, const REAL *cells, const int32_t *place, int real_part, REAL factor)
{
    vector r[IN_VECTOR];
    UNROLL for (int j = 0; j < POINTS; j++)
    {
        const REAL *cell = cells + (int64_t)place[j] * CELL;
        r[2 * j] = load(cell + real_part) * factor;
        r[2 * j + 1] = load(cell + IN_VECTOR - real_part) * factor;
    }
    transpose_square(r);
    UNROLL for (int l = 0; l < IN_VECTOR; l++) store(rows + l * PIECES * IN_VECTOR, r[l]);
}

static void store_rows(const any_length_layout *s, REAL *at, const REAL *cells, const int32_t *place,
                       int64_t pieces, int real_part, REAL factor)
{
    REAL rows[IN_VECTOR * PIECES * IN_VECTOR] __attribute__((aligned(64)));
    for (int64_t i = 0; i < pieces; i++) prefetch_rows(s, at + i * IN_VECTOR);
    for (int64_t i = 0; i < pieces; i++)
        transpose_to_rows(rows + i * IN_VECTOR, cells, place + i * POINTS, real_part, factor);
    for (int64_t l = 0; l < s->lines; l++)
        for (int64_t i = 0; i < pieces; i++)
            store(at + l * s->line + i * IN_VECTOR, load(rows + (l * PIECES + i) * IN_VECTOR));
}

/* ---- contiguous real lines without imaginary parts: a vector of points at a time ---- */

static void load_real_rows(REAL *cells, const int32_t *place, int64_t lines, int64_t line, const REAL *at,
                           int part)
{
    vector r[IN_VECTOR];
    UNROLL for (int l = 0; l < IN_VECTOR; l++) r[l] = load(at + (l < lines ? l : lines - 1) * line);
    transpose_square(r);
    UNROLL for (int j = 0; j < IN_VECTOR; j++) store(cells + (int64_t)place[j] * CELL + part, r[j]);
}

static void clear_part(REAL *cells, const int32_t *place, int64_t count, int part)
{
    for (int64_t j = 0; j < count; j++) store(cells + (int64_t)place[j] * CELL + part, (vector){0});
}

static void store_real_rows(REAL *at, int64_t lines, int64_t line, const REAL *cells, const int32_t *place,
                            int part, REAL factor)
{
    vector r[IN_VECTOR];
    REAL square[IN_VECTOR * IN_VECTOR];
    UNROLL for (int j = 0; j < IN_VECTOR; j++) r[j] = load(cells + (int64_t)place[j] * CELL + part) * factor;
    transpose_square(r);
    UNROLL for (int l = 0; l < IN_VECTOR; l++) store(square + l * IN_VECTOR, r[l]);
    for (int64_t l = 0; l < lines; l++) store(at + l * line, load(square + l * IN_VECTOR));
}

/* ---- lines side by side ---- */

static void load_columns(REAL *cells, const int32_t *place, const any_length_layout *s, int64_t first,
                         int64_t count, int real_part)
{
    const REAL *at = (const REAL *)s->at + first * s->point;
    for (int64_t j = 0; j < count; j++, at += s->point) {
        REAL *cell = cells + (int64_t)place[j] * CELL;
        if (s->line == 1) {
            store(cell + real_part, load(at));
            store(cell + IN_VECTOR - real_part, s->imaginary_lines ? load(at + s->imaginary) : (vector){0});
        } else {
            const vector a = load(at), b = load(at + IN_VECTOR);
            store(cell + real_part, __builtin_shufflevector(a, b, EVENS));
            store(cell + IN_VECTOR - real_part, __builtin_shufflevector(a, b, ODDS));
        }
    }
}

static void store_columns(const any_length_layout *s, const REAL *cells, const int32_t *place, int64_t first,
                          int64_t count, int real_part, REAL factor)
{
    REAL *at = (REAL *)s->at + first * s->point;
    for (int64_t j = 0; j < count; j++, at += s->point) {
        const REAL *cell = cells + (int64_t)place[j] * CELL;
        const vector re = load(cell + real_part) * factor, im = load(cell + IN_VECTOR - real_part) * factor;
        if (s->line == 1) {
            store(at, re);
            if (s->imaginary_lines) store(at + s->imaginary, im);
        } else {
            store(at, __builtin_shufflevector(re, im, LOWER_ZIP));
            store(at + IN_VECTOR, __builtin_shufflevector(re, im, UPPER_ZIP));
        }
    }
}

/* ---- which of them ---- */

static bool complex_rows(const any_length_layout *s, int64_t count)
{
    return s->point == 2 && s->imaginary == 1 && count >= POINTS;
}

static bool real_rows(const any_length_layout *s, int64_t count)
{
    return s->point == 1 && !s->imaginary_lines && count >= IN_VECTOR;
}

static bool columns(const any_length_layout *s)
{
    const bool whole = s->lines == IN_VECTOR && s->imaginary_lines == IN_VECTOR;
    return s->line == 1 ? whole || (s->lines == IN_VECTOR && !s->imaginary_lines)
                        : whole && s->line == 2 && s->imaginary == 1;
}

/* The last piece is moved back to end with the line: it repeats some points. */
#define EACH_PIECE(j, piece, count)                                      \
    for (int64_t j = 0, begin_ = 0; begin_ < (count); begin_ += (piece)) \
        if (j = begin_ + (piece) <= (count) ? begin_ : (count) - (piece), true)

void VARIANT(any_length_load)(void *to, const int32_t *place, const any_length_layout *s, int64_t first,
                              int64_t count, bool exchange)
{
    REAL *cells = to;
    const REAL *at = (const REAL *)s->at + first * s->point;
    const int part = exchange ? IN_VECTOR : 0;
    if (complex_rows(s, count)) {
        EACH_PIECE(j, POINTS, count) load_rows(cells, place + j, s, at + 2 * j, part);
    } else if (real_rows(s, count)) {
        EACH_PIECE(j, IN_VECTOR, count)
        {
            prefetch_rows(s, at + j);
            load_real_rows(cells, place + j, s->lines, s->line, at + j, part);
        }
        clear_part(cells, place, count, IN_VECTOR - part);
    } else if (columns(s)) {
        load_columns(cells, place, s, first, count, part);
    } else {
        load_singly(cells, place, s, first, count, part);
    }
}

void VARIANT(any_length_store)(const any_length_layout *s, const void *from, const int32_t *place,
                               int64_t first, int64_t count, bool exchange, double factor)
{
    const REAL *cells = from, f = (REAL)factor;
    REAL *at = (REAL *)s->at + first * s->point;
    const int part = exchange ? IN_VECTOR : 0;
    if (complex_rows(s, count)) {
        const int64_t whole = count / (PIECES * POINTS) * PIECES * POINTS;
        for (int64_t j = 0; j < whole; j += PIECES * POINTS)
            store_rows(s, at + 2 * j, cells, place + j, PIECES, part, f);
        for (int64_t j = whole; j < count; j += POINTS) {
            const int64_t begin = j + POINTS <= count ? j : count - POINTS;
            store_rows(s, at + 2 * begin, cells, place + begin, 1, part, f);
        }
    } else if (real_rows(s, count)) {
        EACH_PIECE(j, IN_VECTOR, count)
        {
            prefetch_rows(s, at + j);
            store_real_rows(at + j, s->lines, s->line, cells, place + j, part, f);
        }
    } else if (columns(s)) {
        store_columns(s, cells, place, first, count, part, f);
    } else {
        store_singly(s, cells, place, first, count, part, f);
    }
}
