/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of rows x LANES points at once, for up to 16 rows, at least LANES, and
 * each width of vectors that the instruction set has: the stages of
 * kernels.c with everything known, in the stack's memory. Included with SIMD_SINGLE_BYTES and
 * SMALL(name). */
#include "fft/cpu/simd_single/butterfly.h"
#include "fft/cpu/simd_single/kernels.h"

DEVICE void small_columns(REAL *cells, const REAL *in, int64_t real, int exchange, int64_t half,
                          const simd_single_weights *weights, const simd_single_weights_kind kind,
                          const int rows)
{
    const source s = {.at = in,
                      .step = CELL,
                      .half = half,
                      .points = true,
                      .count = some_of(LANES),
                      .weights = multiplier_of(weights, kind)};
    const sink t = {.first = cells,
                    .others = cells + (exchange ? rows * CELL : 0),
                    .step = exchange ? -CELL : CELL,
                    .real = real,
                    .imaginary = LANES - real};
    butterfly(&t, &s, rows);
}

DEVICE void small_transpose(REAL *to, const REAL *from, const REAL *twiddles)
{
    UNROLL for (int first = 0; first < LANES; first += TRANSPOSED)
    {
        lanes re[TRANSPOSED], im[TRANSPOSED];
        columns(re, from + first);
        columns(im, from + LANES + first);
        UNROLL for (int i = 0; i < TRANSPOSED; i++)
        {
            const int64_t at = (first + i) * CELL;
            const struct fft_point x = fft_make(re[i], im[i]);
            cell_store(to + at, first + i ? fft_multiply(x, cell_load(twiddles + at)) : x);
        }
    }
}

DEVICE void small_scale(REAL *cells, REAL factor, const int rows)
{
    for (int i = 0; i < rows; i++) {
        lanes_store(cells + i * CELL, factor * lanes_load(cells + i * CELL));
        lanes_store(cells + i * CELL + LANES, factor * lanes_load(cells + i * CELL + LANES));
    }
}

/* Returns the first row of the vector of rows from i on. The last vector overlaps the one before; fewer rows
 * than lanes are one vector, of which some lanes are 0. */
DEVICE int small_row(const int i, const int rows)
{
    return i && i + LANES > rows ? rows - LANES : i;
}

DEVICE void small_clear(REAL *cells, const int rows)
{
    UNROLL for (int i = rows; i < LANES; i++)
    {
        lanes_store(cells + i * CELL, (lanes){0});
        lanes_store(cells + i * CELL + LANES, (lanes){0});
    }
}

DEVICE void small(REAL *out, const REAL *in, const REAL *twiddles, int exchange, REAL factor,
                  const simd_single_weights *weights, const int64_t *halves,
                  const simd_single_weights_kind from, const simd_single_weights_kind to, const int rows)
{
    const multiplier w = multiplier_of(weights + 1, to);
    REAL cells[16 * CELL] __attribute__((aligned(64))), block[LANES * CELL] __attribute__((aligned(64)));
    const int64_t real = exchange ? LANES : 0, step = exchange ? -2 * rows : 2 * rows;
    small_columns(cells, in, real, exchange, halves[0], weights, from, rows);
    small_clear(cells, rows);
    if (factor != 1) small_scale(cells, factor, rows);
    UNROLL for (int i = 0; i < rows; i += LANES)
    {
        const int row = small_row(i, rows);
        const int64_t others = 2 * row + (exchange ? 2 * rows * LANES : 0);
        small_transpose(block, cells + row * CELL, twiddles + i * CELL);
        const source s = {.at = block, .step = CELL, .real = real, .imaginary = LANES - real};
        const sink t = {.first = out + 2 * row,
                        .others = out + others,
                        .step = step,
                        .half = halves[1],
                        .half_between = exchange ? -halves[1] : halves[1],
                        .points = true,
                        .count = some_of(rows < LANES ? rows : LANES),
                        .weights = w,
                        .from_first = 2 * row,
                        .from_others = others};
        butterfly(&t, &s, LANES);
    }
}

/* ---- rotated lines ---- */

/* Rows of a matrix of `rows` x `width` points, from point `first` on, that stand `rotate` points later,
 * modulo the line: the offsets of them, in the order of a butterfly's points or, backwards, of its results,
 * and how many points of the one that passes the line's end stand before it (0: there is none). */
DEVICE int64_t small_moved(int64_t *offset, int64_t first, int64_t rotate, const int rows, const int width,
                           bool backwards)
{
    const uint64_t place = (uint64_t)(first + rotate), column = place % (uint64_t)width,
                   row = place / (uint64_t)width;
    UNROLL for (int r = 0; r < rows; r++) offset[r] =
        (int64_t)(2 * (column +
                       (uint64_t)width * ((row + (uint64_t)(backwards ? rows - r : r)) % (uint64_t)rows)));
    return column + LANES > (uint64_t)width ? (int64_t)((uint64_t)width - column) : 0;
}

/* Which of them is the last of the line. */
DEVICE int small_last(int64_t first, int64_t rotate, const int rows, const int width, bool backwards)
{
    const int row = (int)((uint64_t)(first + rotate) / (uint64_t)width % (uint64_t)rows), r = rows - 1 - row;
    return backwards ? (rows - r) % rows : r;
}

DEVICE void small_columns_moved(REAL *cells, const REAL *in, int64_t real, int exchange, int64_t rotate,
                                const int rows)
{
    REAL seam[CELL] __attribute__((aligned(64)));
    int64_t offset[16];
    const int64_t before = small_moved(offset, 0, rotate, rows, LANES, false);
    if (before) {
        points_copy(seam, in + rows * CELL - 2 * before, before);
        points_copy(seam + 2 * before, in, LANES - before);
        SHARED(seam);
        offset[small_last(0, rotate, rows, LANES, false)] =
            ((intptr_t)seam - (intptr_t)in) / (intptr_t)sizeof(REAL);
    }
    const source s = {.at = in, .offset = offset, .points = true, .count = some_of(LANES)};
    const sink t = {.first = cells,
                    .others = cells + (exchange ? rows * CELL : 0),
                    .step = exchange ? -CELL : CELL,
                    .real = real,
                    .imaginary = LANES - real};
    butterfly(&t, &s, rows);
}

/* Results from point `first` on of every `rows` */
DEVICE void small_rows_moved(REAL *out, const REAL *block, int64_t first, int64_t real, int exchange,
                             int64_t rotate, const int rows)
{
    REAL seam[CELL] __attribute__((aligned(64)));
    int64_t offset[LANES];
    const int64_t before = small_moved(offset, first, rotate, LANES, rows, exchange);
    if (before)
        offset[small_last(first, rotate, LANES, rows, exchange)] =
            ((intptr_t)seam - (intptr_t)out) / (intptr_t)sizeof(REAL);
    const source s = {.at = block, .step = CELL, .real = real, .imaginary = LANES - real};
    const sink t = {.first = out, .offset = offset, .points = true, .count = some_of(LANES)};
    butterfly(&t, &s, LANES);
    if (!before) return;
    SHARED(seam);
    points_copy(out + rows * CELL - 2 * before, seam, before);
    points_copy(out, seam + 2 * before, LANES - before);
}

DEVICE void small_line_moved(REAL *out, const REAL *in, const REAL *twiddles, int exchange, REAL factor,
                             const int64_t *rotate, const int rows)
{
    REAL cells[16 * CELL] __attribute__((aligned(64))), block[LANES * CELL] __attribute__((aligned(64)));
    const int64_t real = exchange ? LANES : 0;
    small_columns_moved(cells, in, real, exchange, rotate[0], rows);
    if (factor != 1) small_scale(cells, factor, rows);
    UNROLL for (int i = 0; i < rows; i += LANES)
    {
        const int row = small_row(i, rows);
        small_transpose(block, cells + row * CELL, twiddles + i * CELL);
        small_rows_moved(out, block, row, real, exchange, rotate[1], rows);
    }
}

#define SMALL_OF(rows, name, from, to)                                                                      \
    static void name##_##rows(void *out, const void *in, const void *twiddles, int exchange, double factor, \
                              const simd_single_weights *weights, const int64_t *halves)                    \
    {                                                                                                       \
        if (exchange)                                                                                       \
            small(out, in, twiddles, 1, (REAL)factor, weights, halves, from, to, rows);                     \
        else                                                                                                \
            small(out, in, twiddles, 0, (REAL)factor, weights, halves, from, to, rows);                     \
    }
#define MOVED_OF(rows)                                                                                     \
    static void moved_##rows(void *out, const void *in, const void *twiddles, int exchange, double factor, \
                             const int64_t *rotate)                                                        \
    {                                                                                                      \
        if (exchange)                                                                                      \
            small_line_moved(out, in, twiddles, 1, (REAL)factor, rotate, rows < LANES ? LANES : rows);     \
        else                                                                                               \
            small_line_moved(out, in, twiddles, 0, (REAL)factor, rotate, rows < LANES ? LANES : rows);     \
    }
#define LINE_OF(rows)                                                      \
    MOVED_OF(rows)                                                         \
    SMALL_OF(rows, plain, WEIGHTS_NONE, WEIGHTS_NONE)                      \
    SMALL_OF(rows, from_real, WEIGHTS_REAL, WEIGHTS_NONE)                  \
    SMALL_OF(rows, from_complex, WEIGHTS_COMPLEX, WEIGHTS_NONE)            \
    SMALL_OF(rows, to_all, WEIGHTS_NONE, WEIGHTS_ONE)                      \
    SMALL_OF(rows, to_real, WEIGHTS_NONE, WEIGHTS_REAL)                    \
    SMALL_OF(rows, to_complex, WEIGHTS_NONE, WEIGHTS_COMPLEX)              \
    SMALL_OF(rows, both, weights[0].kind, weights[1].kind)                 \
    static const simd_single_small rows_##rows = {                         \
        {{plain_##rows, to_all_##rows, to_real_##rows, to_complex_##rows}, \
         {NULL},                                                           \
         {from_real_##rows, both_##rows, both_##rows, both_##rows},        \
         {from_complex_##rows, both_##rows, both_##rows, both_##rows}},    \
        moved_##rows};
LINE_OF(4)
LINE_OF(8)
LINE_OF(16)

/* Other counts of rows, at least as many as lanes, for wide enough vectors. These rarer lengths are not
 * compiled for each direction. */
#define ODD_LINE_OF(rows)                                                                                   \
    static void moved_##rows(void *out, const void *in, const void *twiddles, int exchange, double factor,  \
                             const int64_t *rotate)                                                         \
    {                                                                                                       \
        small_line_moved(out, in, twiddles, exchange, (REAL)factor, rotate, rows);                          \
    }                                                                                                       \
    SMALL_OF(rows, plain, WEIGHTS_NONE, WEIGHTS_NONE)                                                       \
    static void both_##rows(void *out, const void *in, const void *twiddles, int exchange, double factor,   \
                            const simd_single_weights *weights, const int64_t *halves)                      \
    {                                                                                                       \
        small(out, in, twiddles, exchange, (REAL)factor, weights, halves, weights[0].kind, weights[1].kind, \
              rows);                                                                                        \
    }                                                                                                       \
    static const simd_single_small rows_##rows = {{{plain_##rows, both_##rows, both_##rows, both_##rows},   \
                                                   {NULL},                                                  \
                                                   {both_##rows, both_##rows, both_##rows, both_##rows},    \
                                                   {both_##rows, both_##rows, both_##rows, both_##rows}},   \
                                                  moved_##rows};
#define ABOVE_8(f) f(9) f(10) f(11) f(12) f(13) f(14) f(15)

/* Fewer rows than lanes: vectors are partly empty, as stores can leave lanes out. They are not rotated. */
#define FEW_LINE_OF(rows)                                                                                   \
    SMALL_OF(rows, few, WEIGHTS_NONE, WEIGHTS_NONE)                                                         \
    static void few_both_##rows(void *out, const void *in, const void *twiddles, int exchange,              \
                                double factor, const simd_single_weights *weights, const int64_t *halves)   \
    {                                                                                                       \
        small(out, in, twiddles, exchange, (REAL)factor, weights, halves, weights[0].kind, weights[1].kind, \
              rows);                                                                                        \
    }                                                                                                       \
    static const simd_single_small few_rows_##rows = {                                                      \
        {{few_##rows, few_both_##rows, few_both_##rows, few_both_##rows},                                   \
         {NULL},                                                                                            \
         {few_both_##rows, few_both_##rows, few_both_##rows, few_both_##rows},                              \
         {few_both_##rows, few_both_##rows, few_both_##rows, few_both_##rows}},                             \
        NULL};
#if SIMD_SINGLE_BYTES * 8 / REAL_BITS == 4
#define ODD_ROWS(f) f(5) f(6) f(7) ABOVE_8(f)
#elif SIMD_SINGLE_BYTES * 8 / REAL_BITS == 8
#define ODD_ROWS(f) ABOVE_8(f)
#else
#define ODD_ROWS(f)
#define FEW_ROWS(f) f(6) f(7) f(8) ABOVE_8(f)
#endif
#ifndef FEW_ROWS
#define FEW_ROWS(f)
#endif
ODD_ROWS(ODD_LINE_OF)
FEW_ROWS(FEW_LINE_OF)

#define ENTRY(rows) [rows] = &rows_##rows,
#define FEW_ENTRY(rows) [rows] = &few_rows_##rows,
const simd_single_small *SMALL(simd_single_small_for)(int64_t n, int64_t *lanes_used)
{
    static const simd_single_small *const all[] = {ENTRY(4) ENTRY(8) ENTRY(16) ODD_ROWS(ENTRY)},
                                          *const few[] = {[16] = NULL, FEW_ROWS(FEW_ENTRY)};
    *lanes_used = LANES;
    if (n % LANES || n / LANES > 16) return NULL;
    return n < LANES * LANES ? few[n / LANES] : all[n / LANES];
}
