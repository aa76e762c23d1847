/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of rows x LANES numbers at once, for rows = 4, 8 or 16 and each width
 * of vectors that the instruction set has: the stages of within_kernels.c with
 * everything known, in the stack's memory. Included with WITHIN_BYTES and
 * SMALL(name). */
#include "fft/host/within_butterfly.h"
#include "fft/host/within_kernels.h"

DEVICE void small_columns(REAL *cells, const REAL *in, int64_t real, int exchange, const int rows)
{
    const source s = {.at = in, .step = CELL, .points = true, .count = some_of(LANES)};
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

DEVICE void small(REAL *out, const REAL *in, const REAL *turns, int exchange, REAL factor, const int rows)
{
    REAL cells[16 * CELL] __attribute__((aligned(64))), block[LANES * CELL] __attribute__((aligned(64)));
    const int64_t real = exchange ? LANES : 0, step = exchange ? -2 * rows : 2 * rows;
    small_columns(cells, in, real, exchange, rows);
    if (factor != 1)
        for (int i = 0; i < rows; i++) {
            lanes_store(cells + i * CELL, factor * lanes_load(cells + i * CELL));
            lanes_store(cells + i * CELL + LANES, factor * lanes_load(cells + i * CELL + LANES));
        }
    UNROLL for (int row = 0; row < rows; row += LANES)
    {
        REAL *to = out + 2 * row;
        small_turn(block, cells + row * CELL, turns + row * CELL);
        const source s = {.at = block, .step = CELL, .real = real, .imaginary = LANES - real};
        const sink t = {.first = to,
                        .others = to + (exchange ? 2 * rows * LANES : 0),
                        .step = step,
                        .points = true,
                        .count = some_of(LANES)};
        butterfly(&t, &s, LANES);
    }
}

#define ROWS(f) f(4) f(8) f(16)
#define LINE_OF(rows)                                                                                  \
    static void rows_##rows(void *out, const void *in, const void *turns, int exchange, double factor) \
    {                                                                                                  \
        if (exchange)                                                                                  \
            small(out, in, turns, 1, (REAL)factor, rows < LANES ? LANES : rows);                       \
        else                                                                                           \
            small(out, in, turns, 0, (REAL)factor, rows < LANES ? LANES : rows);                       \
    }
ROWS(LINE_OF)

within_small *SMALL(fft_within_small)(int64_t n, int64_t *lanes_used)
{
    *lanes_used = LANES;
    return n % LANES || n < LANES * LANES ? NULL
           : n / LANES == 4               ? rows_4
           : n / LANES == 8               ? rows_8
           : n / LANES == 16              ? rows_16
                                          : NULL;
}
