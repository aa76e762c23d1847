/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of Stockham's transform, decimation in time (Van Loan, Computational Frameworks for the Fast Fourier
 * Transform, 1992, 1.7), on one column of cells: butterfly j reads the cells j + r length / R, multiplies by
 * turns r (j mod done), and writes (j / done) done R + j mod done + r done. */
#include "fft/host/within_kernels.h"

#if defined(__AVX512F__)
#define WITHIN_BYTES 64
#elif defined(__AVX2__)
#define WITHIN_BYTES 32
#else
#define WITHIN_BYTES 16
#endif
#include "fft/host/within_vector.h"

DEVICE struct fft_point exchanged(struct fft_point x)
{
    return fft_make(x.im, x.re);
}

DEVICE void first_stage(REAL *to, const REAL *in, int64_t length, int64_t row, int64_t count, int exchange,
                        const int radix)
{
    const int64_t parts = length / radix;
    for (int64_t j = 0; j < parts; j++) {
        struct fft_point x[WITHIN_MOST_RADIX];
        const REAL *at = in + 2 * row * j;
        if (count < LANES)
            UNROLL for (int r = 0; r < radix; r++) x[r] = point_load_some(at + 2 * row * parts * r, count);
        else
            UNROLL for (int r = 0; r < radix; r++) x[r] = point_load(at + 2 * row * parts * r);
        if (exchange) UNROLL for (int r = 0; r < radix; r++) x[r] = exchanged(x[r]);
        fft_radix(x, radix);
        UNROLL for (int r = 0; r < radix; r++) cell_store(to + (j * radix + r) * CELL, x[r]);
    }
}

DEVICE void turned_load(struct fft_point *x, const REAL *from, int64_t apart, const REAL *turns, int64_t k,
                        const int radix)
{
    UNROLL for (int r = 0; r < radix; r++) x[r] = cell_load(from + r * apart * CELL);
    if (k == 0) return;
    const REAL *w = turns + 2 * (radix - 1) * k;
    UNROLL for (int r = 1; r < radix; r++) x[r] = fft_turn(x[r], w[2 * r - 2], w[2 * r - 1]);
}

DEVICE void middle_stage(REAL *to, const REAL *from, const REAL *turns, int64_t length, int64_t done,
                         const int radix)
{
    const int64_t parts = length / radix;
    for (int64_t k = 0; k < done; k++)
        for (int64_t j = k; j < parts; j += done) {
            struct fft_point x[WITHIN_MOST_RADIX];
            turned_load(x, from + j * CELL, parts, turns, k, radix);
            fft_radix(x, radix);
            UNROLL for (int r = 0; r < radix; r++)
                cell_store(to + ((j - k) * radix + k + r * done) * CELL, x[r]);
        }
}

DEVICE void last_stage(REAL *out, const REAL *from, const REAL *turns, int64_t length, int64_t row,
                       int64_t count, int exchange, REAL factor, const int radix)
{
    const int64_t done = length / radix;
    for (int64_t k = 0; k < done; k++) {
        struct fft_point x[WITHIN_MOST_RADIX];
        turned_load(x, from + k * CELL, done, turns, k, radix);
        fft_radix(x, radix);
        if (factor != 1)
            UNROLL for (int r = 0; r < radix; r++) x[r] = fft_make(x[r].re * factor, x[r].im * factor);
        if (exchange) UNROLL for (int r = 0; r < radix; r++) x[r] = exchanged(x[r]);
        REAL *at = out + 2 * row * k;
        if (count < LANES)
            UNROLL for (int r = 0; r < radix; r++) point_store_some(at + 2 * row * done * r, x[r], count);
        else
            UNROLL for (int r = 0; r < radix; r++) point_store(at + 2 * row * done * r, x[r]);
    }
}

#define RADICES(f) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)

#define STAGES(radix)                                                                                      \
    static void first_##radix(void *to, const void *in, int64_t length, int64_t row, int64_t count,        \
                              int exchange)                                                                \
    {                                                                                                      \
        first_stage(to, in, length, row, count, exchange, radix);                                          \
    }                                                                                                      \
    static void stage_##radix(void *to, const void *from, const void *turns, int64_t length, int64_t done) \
    {                                                                                                      \
        middle_stage(to, from, turns, length, done, radix);                                                \
    }                                                                                                      \
    static void last_##radix(void *out, const void *from, const void *turns, int64_t length, int64_t row,  \
                             int64_t count, int exchange, double factor)                                   \
    {                                                                                                      \
        last_stage(out, from, turns, length, row, count, exchange, (REAL)factor, radix);                   \
    }
RADICES(STAGES)

static void turn(void *to, const void *from, const void *turns)
{
    REAL *out = to;
    const REAL *in = from, *w = turns;
    for (int first = 0; first < LANES; first += TURNED) {
        lanes re[TURNED], im[TURNED];
        columns(re, in + first);
        columns(im, in + LANES + first);
        UNROLL for (int i = 0; i < TURNED; i++)
        {
            const int64_t at = (first + i) * CELL;
            cell_store(out + at, fft_multiply(fft_make(re[i], im[i]), cell_load(w + at)));
        }
    }
}

#define FIRST(radix) [radix] = first_##radix,
#define STAGE(radix) [radix] = stage_##radix,
#define LAST(radix) [radix] = last_##radix,
const within_kernels *VARIANT(fft_within_kernels)(void)
{
    static const within_kernels kernels = {.lanes = LANES,
                                           .first = {RADICES(FIRST)},
                                           .stage = {RADICES(STAGE)},
                                           .last = {RADICES(LAST)},
                                           .turn = turn};
    return &kernels;
}
