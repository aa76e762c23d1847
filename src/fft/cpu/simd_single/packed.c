/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lines of rows x 4 numbers beside each other, each in 16 bytes of a vector: what small.inc.h
 * does with one of them in vectors of 16 bytes, for all of them by the same instructions. In single
 * precision, as in double 4 numbers fill vectors of 32 bytes, and two lines beside each other gained little.
 */
#include "fft/cpu/simd_single/kernels.h"

#if REAL_BITS == 32 && defined(__AVX2__)
#ifdef __AVX512F__
#define WITHIN_BYTES 64
#else
#define WITHIN_BYTES 32
#endif
#define WITHIN_SEVERAL 1
#include "fft/cpu/simd_single/butterfly.h"

DEVICE void several_turn(REAL *to, const REAL *from, const REAL *turns)
{
    lanes re[PART], im[PART], rows[2][PART];
    UNROLL for (int i = 0; i < PART; i++)
    {
        rows[0][i] = lanes_load(from + i * CELL);
        rows[1][i] = lanes_load(from + i * CELL + LANES);
    }
    turn_parts(re, rows[0]);
    turn_parts(im, rows[1]);
    UNROLL for (int i = 0; i < PART; i++)
    {
        const REAL *turn = turns + i * 2 * PART;
        const struct fft_point x = fft_make(re[i], im[i]);
        cell_store(to + i * CELL, i ? fft_multiply(x, fft_make(repeated(turn), repeated(turn + PART))) : x);
    }
}

DEVICE void several(REAL *out, const REAL *in, const REAL *turns, int exchange, REAL factor, some to,
                    some from, const int rows)
{
    REAL cells[16 * CELL] __attribute__((aligned(64))), block[PART * CELL] __attribute__((aligned(64)));
    const int64_t real = exchange ? LANES : 0;
    const source first = {.at = in, .step = 2 * PART, .points = true, .count = from};
    const sink inner = {.first = cells,
                        .others = cells + (exchange ? rows * CELL : 0),
                        .step = exchange ? -CELL : CELL,
                        .real = real,
                        .imaginary = LANES - real};
    butterfly(&inner, &first, rows);
    if (factor != 1)
        for (int i = 0; i < 2 * rows; i++)
            lanes_store(cells + i * LANES, factor * lanes_load(cells + i * LANES));
    UNROLL for (int i = 0; i < rows; i += PART)
    {
        const int row = i + PART > rows ? rows - PART : i; /* the last overlap those before */
        several_turn(block, cells + row * CELL, turns + i * 2 * PART);
        const source s = {.at = block, .step = CELL, .real = real, .imaginary = LANES - real};
        const sink t = {.first = out + 2 * row,
                        .others = out + 2 * row + (exchange ? 2 * rows * PART : 0),
                        .step = exchange ? -2 * rows : 2 * rows,
                        .points = true,
                        .count = to};
        butterfly(&t, &s, PART);
    }
}

#define SEVERAL_OF(rows)                                                                               \
    static void rows_##rows(void *out, const void *in, const void *turns, int exchange, double factor, \
                            int64_t out_step, int64_t in_step)                                         \
    {                                                                                                  \
        const some to = {out_step / (int64_t)sizeof(REAL)}, from = {in_step / (int64_t)sizeof(REAL)};  \
        if (exchange)                                                                                  \
            several(out, in, turns, 1, (REAL)factor, to, from, rows);                                  \
        else                                                                                           \
            several(out, in, turns, 0, (REAL)factor, to, from, rows);                                  \
    }
#define EACH(f) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
EACH(SEVERAL_OF)

#define ENTRY(rows) [rows] = rows_##rows,
    within_several *VARIANT(fft_within_several)(int64_t n, int64_t *count)
    {
        static within_several *const all[] = {EACH(ENTRY)};
        *count = PARTS;
        return n % PART || n / PART >= (int64_t)(sizeof all / sizeof *all) ? NULL : all[n / PART];
    }
#else
within_several *VARIANT(fft_within_several)(int64_t n, int64_t *count)
{
    (void)n;
    *count = 0;
    return NULL;
}
#endif
