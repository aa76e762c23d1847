/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of rows x 4 points packed, each in 16 bytes of a vector: what small.inc.h
 * does with one of them in vectors of 16 bytes, for all of them by the same instructions. In single
 * precision, as in double 4 points fill vectors of 32 bytes, and two lines in a vector gained little.
 */
#include "fft/cpu/simd_single/kernels.h"

#if REAL_BITS == 32 && defined(__AVX2__)
#ifdef __AVX512F__
#define SIMD_SINGLE_BYTES 64
#else
#define SIMD_SINGLE_BYTES 32
#endif
#define SIMD_SINGLE_PACKED 1
#include "fft/cpu/simd_single/butterfly.h"

DEVICE void packed_transpose(REAL *to, const REAL *from, const REAL *twiddles)
{
    lanes re[PART], im[PART], rows[2][PART];
    UNROLL for (int i = 0; i < PART; i++)
    {
        rows[0][i] = lanes_load(from + i * CELL);
        rows[1][i] = lanes_load(from + i * CELL + LANES);
    }
    transpose_parts(re, rows[0]);
    transpose_parts(im, rows[1]);
    UNROLL for (int i = 0; i < PART; i++)
    {
        const REAL *transpose = twiddles + i * 2 * PART;
        const struct fft_point x = fft_make(re[i], im[i]);
        cell_store(to + i * CELL,
                   i ? fft_multiply(x, fft_make(repeated(transpose), repeated(transpose + PART))) : x);
    }
}

DEVICE void packed(REAL *out, const REAL *in, const REAL *twiddles, int exchange, REAL factor, some to,
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
        packed_transpose(block, cells + row * CELL, twiddles + i * 2 * PART);
        const source s = {.at = block, .step = CELL, .real = real, .imaginary = LANES - real};
        const sink t = {.first = out + 2 * row,
                        .others = out + 2 * row + (exchange ? 2 * rows * PART : 0),
                        .step = exchange ? -2 * rows : 2 * rows,
                        .points = true,
                        .count = to};
        butterfly(&t, &s, PART);
    }
}

#define PACKED_OF(rows)                                                                                   \
    static void rows_##rows(void *out, const void *in, const void *twiddles, int exchange, double factor, \
                            int64_t out_step, int64_t in_step)                                            \
    {                                                                                                     \
        const some to = {out_step / (int64_t)sizeof(REAL)}, from = {in_step / (int64_t)sizeof(REAL)};     \
        if (exchange)                                                                                     \
            packed(out, in, twiddles, 1, (REAL)factor, to, from, rows);                                   \
        else                                                                                              \
            packed(out, in, twiddles, 0, (REAL)factor, to, from, rows);                                   \
    }
#define ALL_ROWS(f) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
ALL_ROWS(PACKED_OF)

#define ENTRY(rows) [rows] = rows_##rows,
simd_single_packed *VARIANT(simd_single_packed_for)(int64_t n, int64_t *count)
{
    static simd_single_packed *const all[] = {ALL_ROWS(ENTRY)};
    *count = PARTS;
    return n % PART || n / PART >= (int64_t)(sizeof all / sizeof *all) ? NULL : all[n / PART];
}
#else
simd_single_packed *VARIANT(simd_single_packed_for)(int64_t n, int64_t *count)
{
    (void)n;
    *count = 0;
    return NULL;
}
#endif
