/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of rows x LANES numbers at once, for rows = 4, 8 or 16 and each width
 * of vectors that the instruction set has: the stages of within_kernels.c with
 * everything known, in the stack's memory. Included with WITHIN_BYTES and
 * SMALL(name). */
#include "fft/host/within_butterfly.h"
#include "fft/host/within_kernels.h"

DEVICE void small_columns(REAL *cells, const REAL *in, int64_t real, int exchange, int64_t half,
                          const within_weights *weights, const within_weighing kind, const int rows)
{
    const source s = {.at = in,
                      .step = CELL,
                      .half = half,
                      .points = true,
                      .count = some_of(LANES),
                      .weights = weigher_of(weights, kind)};
    const sink t = {.first = cells,
                    .others = cells + (exchange ? rows * CELL : 0),
                    .step = exchange ? -CELL : CELL,
                    .real = real,
                    .imaginary = LANES - real};
    butterfly(&t, &s, rows);
}

DEVICE void small_turn(REAL *to, const REAL *from, const REAL *turns)
{
    UNROLL for (int first = 0; first < LANES; first += TURNED)
    {
        lanes re[TURNED], im[TURNED];
        columns(re, from + first);
        columns(im, from + LANES + first);
        UNROLL for (int i = 0; i < TURNED; i++)
        {
            const int64_t at = (first + i) * CELL;
            const struct fft_point x = fft_make(re[i], im[i]);
            cell_store(to + at, first + i ? fft_multiply(x, cell_load(turns + at)) : x);
        }
    }
}

DEVICE void small(REAL *out, const REAL *in, const REAL *turns, int exchange, REAL factor,
                  const within_weights *weights, const int64_t *halves, const within_weighing from,
                  const within_weighing to, const int rows)
{
    const weigher w = weigher_of(weights + 1, to);
    REAL cells[16 * CELL] __attribute__((aligned(64))), block[LANES * CELL] __attribute__((aligned(64)));
    const int64_t real = exchange ? LANES : 0, step = exchange ? -2 * rows : 2 * rows;
    small_columns(cells, in, real, exchange, halves[0], weights, from, rows);
    if (factor != 1)
        for (int i = 0; i < rows; i++) {
            lanes_store(cells + i * CELL, factor * lanes_load(cells + i * CELL));
            lanes_store(cells + i * CELL + LANES, factor * lanes_load(cells + i * CELL + LANES));
        }
    UNROLL for (int row = 0; row < rows; row += LANES)
    {
        const int64_t others = 2 * row + (exchange ? 2 * rows * LANES : 0);
        small_turn(block, cells + row * CELL, turns + row * CELL);
        const source s = {.at = block, .step = CELL, .real = real, .imaginary = LANES - real};
        const sink t = {.first = out + 2 * row,
                        .others = out + others,
                        .step = step,
                        .half = halves[1],
                        .early = exchange ? -halves[1] : halves[1],
                        .points = true,
                        .count = some_of(LANES),
                        .weights = w,
                        .from_first = 2 * row,
                        .from_others = others};
        butterfly(&t, &s, LANES);
    }
}

#define SMALL_OF(rows, name, from, to)                                                                      \
    static void name##_##rows(void *out, const void *in, const void *turns, int exchange, double factor,    \
                              const within_weights *weights, const int64_t *halves)                         \
    {                                                                                                       \
        if (exchange)                                                                                       \
            small(out, in, turns, 1, (REAL)factor, weights, halves, from, to, rows < LANES ? LANES : rows); \
        else                                                                                                \
            small(out, in, turns, 0, (REAL)factor, weights, halves, from, to, rows < LANES ? LANES : rows); \
    }
#define LINE_OF(rows)                                                      \
    SMALL_OF(rows, plain, WEIGH_NONE, WEIGH_NONE)                          \
    SMALL_OF(rows, from_real, WEIGH_REAL, WEIGH_NONE)                      \
    SMALL_OF(rows, from_complex, WEIGH_COMPLEX, WEIGH_NONE)                \
    SMALL_OF(rows, to_all, WEIGH_NONE, WEIGH_ALL)                          \
    SMALL_OF(rows, to_real, WEIGH_NONE, WEIGH_REAL)                        \
    SMALL_OF(rows, to_complex, WEIGH_NONE, WEIGH_COMPLEX)                  \
    SMALL_OF(rows, both, weights[0].kind, weights[1].kind)                 \
    static const within_small rows_##rows = {                              \
        {{plain_##rows, to_all_##rows, to_real_##rows, to_complex_##rows}, \
         {NULL},                                                           \
         {from_real_##rows, both_##rows, both_##rows, both_##rows},        \
         {from_complex_##rows, both_##rows, both_##rows, both_##rows}}};
LINE_OF(4)
LINE_OF(8)
LINE_OF(16)

const within_small *SMALL(fft_within_small)(int64_t n, int64_t *lanes_used)
{
    *lanes_used = LANES;
    return n % LANES || n < LANES * LANES ? NULL
           : n / LANES == 4               ? &rows_4
           : n / LANES == 8               ? &rows_8
           : n / LANES == 16              ? &rows_16
                                          : NULL;
}
