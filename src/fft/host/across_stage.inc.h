/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop over butterflies of one stage, for files that make it for every radix: LANE is a vector.
 * Stockham's self-sorting order, decimation in frequency (Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, 1992, 1.7). */
#include "fft/host/across.h"

#include "base/simd.h"

#define LANE vector
#define DEVICE INLINE
#include "kernels/fft_radix.h"

enum { CELL = 2 * IN_VECTOR };
enum { FROM_COLUMNS = 1, TO_COLUMNS = 2 };

#if VECTOR_BYTES / REAL_BITS == 2 /* 16 numbers */
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif VECTOR_BYTES / REAL_BITS == 1 /* 8 numbers */
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else /* 4 numbers */
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#endif

/* Interleaved numbers of all lanes, two vectors, as a cell. */
INLINE struct fft_point load_pairs(const REAL *from)
{
    const vector a = load(from), b = load(from + IN_VECTOR);
    return fft_make(__builtin_shufflevector(a, b, EVENS), __builtin_shufflevector(a, b, ODDS));
}

INLINE void store_pairs(REAL *to, struct fft_point x)
{
    store(to, __builtin_shufflevector(x.re, x.im, ZIP_LOW));
    store(to + IN_VECTOR, __builtin_shufflevector(x.re, x.im, ZIP_HIGH));
}

/* Into 0 .. n - 1, from at most n beyond either end. */
INLINE int64_t wrap(int64_t i, int64_t n)
{
    i += n & (i >> 63);
    return i >= n ? i - n : i;
}

INLINE void run_butterfly(const across_stage_call *c, const REAL *from, REAL *to, const REAL *turns,
                          int64_t p, int64_t q, const int radix, const int mode)
{
    struct fft_point x[16];
    const int64_t in_im = c->swap_in ? 0 : IN_VECTOR, in_re = IN_VECTOR - in_im;
    const int64_t out_im = c->swap_out ? 0 : IN_VECTOR, out_re = IN_VECTOR - out_im;
    UNROLL for (int k = 0; k < radix; k++)
    {
        if (mode & FROM_COLUMNS)
            x[k] =
                load_pairs(from + c->in_stride * wrap(c->in_start + c->in_sign * (p + k * c->parts), c->n));
        else
            x[k] = fft_make(load(from + k * c->from_k + in_re), load(from + k * c->from_k + in_im));
    }
    fft_radix(x, radix);
    if (turns)
        UNROLL for (int k = 1; k < radix; k++) x[k] = fft_turn(x[k], turns[2 * k - 2], turns[2 * k - 1]);
    UNROLL for (int k = 0; k < radix; k++)
    {
        if (mode & TO_COLUMNS) {
            const REAL f = (REAL)c->factor;
            store_pairs(to + c->out_stride * wrap(c->out_start + k * c->apart + q, c->n),
                        fft_make(x[k].re * f, x[k].im * f));
        } else {
            store(to + k * c->to_k + out_re, x[k].re);
            store(to + k * c->to_k + out_im, x[k].im);
        }
    }
}

INLINE void run_stage(const across_stage_call *c, const int radix, const int mode)
{
    const REAL *turns = c->turns;
    for (int64_t p = 0; p < c->parts; p++) {
        const REAL *from = (const REAL *)c->from + (mode & FROM_COLUMNS ? 0 : p * c->from_p);
        REAL *to = (REAL *)c->to + (mode & TO_COLUMNS ? 0 : p * c->to_p);
        for (int64_t q = 0; q < c->apart; q++) {
            run_butterfly(c, from, to, turns, p, q, radix, mode);
            if (!(mode & FROM_COLUMNS)) from += c->from_q;
            if (!(mode & TO_COLUMNS)) to += c->to_q;
        }
        if (turns) turns += 2 * (radix - 1);
    }
}

/* NAME(call) for every radix. */
#define ACROSS_STAGES_OF(NAME, MODE)                                                                        \
    static void NAME##_1(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 1, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_2(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 2, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_3(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 3, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_4(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 4, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_5(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 5, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_6(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 6, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_7(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 7, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_8(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 8, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_9(const across_stage_call *c)                                                        \
    {                                                                                                       \
        run_stage(c, 9, MODE);                                                                              \
    }                                                                                                       \
    static void NAME##_10(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 10, MODE);                                                                             \
    }                                                                                                       \
    static void NAME##_11(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 11, MODE);                                                                             \
    }                                                                                                       \
    static void NAME##_12(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 12, MODE);                                                                             \
    }                                                                                                       \
    static void NAME##_13(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 13, MODE);                                                                             \
    }                                                                                                       \
    static void NAME##_14(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 14, MODE);                                                                             \
    }                                                                                                       \
    static void NAME##_15(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 15, MODE);                                                                             \
    }                                                                                                       \
    static void NAME##_16(const across_stage_call *c)                                                       \
    {                                                                                                       \
        run_stage(c, 16, MODE);                                                                             \
    }                                                                                                       \
    void VARIANT(NAME)(const across_stage_call *c)                                                          \
    {                                                                                                       \
        static void (*const all[])(const across_stage_call *) = {                                           \
            NULL,     NAME##_1,  NAME##_2,  NAME##_3,  NAME##_4,  NAME##_5,  NAME##_6,  NAME##_7, NAME##_8, \
            NAME##_9, NAME##_10, NAME##_11, NAME##_12, NAME##_13, NAME##_14, NAME##_15, NAME##_16};         \
        all[c->radix](c);                                                                                   \
    }
