/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop over butterflies of one stage, for files that make it for every radix: LANE is a vector.
 * Stockham's self-sorting order, decimation in frequency (Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, 1992, 1.7). */
#include "fft/cpu/simd_batch/simd_batch.h"

#include "base/simd.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define LANE vector
#define DEVICE INLINE
#define PRIVATE
#include "kernels/fft/radix.h"

enum { CELL = 2 * IN_VECTOR };
enum {
    FROM_COLUMNS = 1,
    TO_COLUMNS = 2,
    SWAP_IN = 4,
    SWAP_OUT = 8,
    BY_REAL = 16,
    BY_COMPLEX = 32,
    BY_ALL = 64,
    SOME = 128 /* columns that are fewer than lanes */
};

#if VECTOR_REALS == 16
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif VECTOR_REALS == 8
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif VECTOR_REALS == 4
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#else /* 2 */
#define EVENS 0, 2
#define ODDS 1, 3
#define ZIP_LOW 0, 2
#define ZIP_HIGH 1, 3
#endif

/* Interleaved points of all lanes, two vectors, as a cell. */
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

/* The numbers of a cell's two vectors that are there, if some lanes have no column: with AVX-512 only */
#ifdef __AVX512F__
typedef struct some {
    __mmask16 low, high;
} some;
INLINE some some_of(int64_t lines)
{
    const uint32_t numbers = lines < IN_VECTOR ? (UINT32_C(1) << 2 * lines) - 1 : UINT32_MAX;
    return (some){(__mmask16)(numbers & ((UINT32_C(1) << IN_VECTOR) - 1)), (__mmask16)(numbers >> IN_VECTOR)};
}
#if REAL_BITS == 32
#define LOAD_SOME(mask, p) ((vector)_mm512_maskz_loadu_ps(mask, p))
#define STORE_SOME(p, mask, v) _mm512_mask_storeu_ps(p, mask, (__m512)(v))
#else
#define LOAD_SOME(mask, p) ((vector)_mm512_maskz_loadu_pd((__mmask8)(mask), p))
#define STORE_SOME(p, mask, v) _mm512_mask_storeu_pd(p, (__mmask8)(mask), (__m512d)(v))
#endif
INLINE struct fft_point load_some_pairs(const REAL *from, const some *s)
{
    const vector a = LOAD_SOME(s->low, from), b = LOAD_SOME(s->high, from + IN_VECTOR);
    return fft_make(__builtin_shufflevector(a, b, EVENS), __builtin_shufflevector(a, b, ODDS));
}
INLINE void store_some_pairs(REAL *to, struct fft_point x, const some *s)
{
    STORE_SOME(to, s->low, __builtin_shufflevector(x.re, x.im, ZIP_LOW));
    STORE_SOME(to + IN_VECTOR, s->high, __builtin_shufflevector(x.re, x.im, ZIP_HIGH));
}
#else
typedef struct some {
    char none;
} some;
INLINE some some_of(int64_t lines)
{
    (void)lines;
    return (some){0};
}
INLINE struct fft_point load_some_pairs(const REAL *from, const some *s)
{
    (void)s;
    return load_pairs(from);
}
INLINE void store_some_pairs(REAL *to, struct fft_point x, const some *s)
{
    (void)s;
    store_pairs(to, x);
}
#endif

/* Returns the address of point k of a butterfly: evenly spaced in buffers, by a table in columns, which
 * may be rotated. */
INLINE const REAL *source(const REAL *from, int64_t step, const int64_t *offset, int k, const int mode)
{
    return from + (mode & FROM_COLUMNS ? offset[k] : k * step);
}

/* The factors of columns. */
typedef struct multiplier {
    const REAL *at;
    const int64_t *offset;
    REAL sign, re, im;
} multiplier;

INLINE struct fft_point multiplied(struct fft_point x, const multiplier *w, int k, const int mode)
{
    if (mode & BY_REAL) {
        const vector y = load(w->at + w->offset[k]);
        return fft_make(x.re * y, x.im * y);
    }
    if (mode & BY_COMPLEX) {
        const struct fft_point y = load_pairs(w->at + w->offset[k]);
        return fft_multiply(x, fft_make(y.re, y.im * w->sign));
    }
    return mode & BY_ALL ? fft_twiddle(x, w->re, -w->im) : x;
}

INLINE void load_points(struct fft_point *x, const REAL *from, const simd_batch_stage_call *c,
                        const multiplier *w, const some *s, const int radix, const int mode)
{
    UNROLL for (int k = 0; k < radix; k++)
    {
        const REAL *at = source(from, c->from_k, c->from_offset, k, mode);
        x[k] = !(mode & FROM_COLUMNS) ? fft_make(load(at), load(at + IN_VECTOR))
               : mode & SOME          ? load_some_pairs(at, s)
                                      : load_pairs(at);
        if (mode & FROM_COLUMNS) x[k] = multiplied(x[k], w, k, mode);
        if (mode & SWAP_IN) x[k] = fft_make(x[k].im, x[k].re);
    }
}

INLINE void store_points(REAL *to, const simd_batch_stage_call *c, const struct fft_point *x,
                         const multiplier *w, const some *s, const int radix, const int mode)
{
    const REAL factor = (REAL)c->factor;
    UNROLL for (int k = 0; k < radix; k++)
    {
        const vector re = mode & SWAP_OUT ? x[k].im : x[k].re, im = mode & SWAP_OUT ? x[k].re : x[k].im;
        if (mode & TO_COLUMNS) {
            const struct fft_point y = multiplied(fft_make(re, im), w, k, mode);
            const struct fft_point z = mode & BY_ALL ? y : fft_make(y.re * factor, y.im * factor);
            if (mode & SOME)
                store_some_pairs(to + c->to_offset[k], z, s);
            else
                store_pairs(to + c->to_offset[k], z);
        } else {
            store(to + k * c->to_k, re);
            store(to + k * c->to_k + IN_VECTOR, im);
        }
    }
}

INLINE void run_stage(const simd_batch_stage_call *call, const int radix, const int mode)
{
    const simd_batch_stage_call c = *call; /* known not to be what is stored to */
    const REAL *twiddles = c.twiddles, *from_p = c.from;
    REAL *to_p = c.to;
    struct fft_point x[16];
    multiplier w = {c.weights, c.weight_offset, (REAL)c.sign, (REAL)c.re, (REAL)c.im};
    const some s = some_of(mode & SOME ? c.lines : 0);
    for (int64_t p = 0; p < c.parts; p++, from_p += c.from_p, to_p += c.to_p) {
        const REAL *from = from_p;
        REAL *to = to_p;
        for (int64_t q = 0; q < c.interleaved; q++, from += c.from_q, to += c.to_q) {
            load_points(x, from, &c, &w, &s, radix, mode);
            fft_radix(x, radix);
            if (twiddles)
                UNROLL for (int k = 1; k < radix; k++) x[k] =
                    fft_twiddle(x[k], twiddles[2 * k - 2], twiddles[2 * k - 1]);
            store_points(to, &c, x, &w, &s, radix, mode);
            if (mode & (BY_REAL | BY_COMPLEX)) w.at += c.weight_step;
        }
        if (twiddles) twiddles += 2 * (radix - 1);
    }
}

/* NAME(call) for every radix. */
#define SIMD_BATCH_OF(NAME, MODE, RADIX)                       \
    static void NAME##_##RADIX(const simd_batch_stage_call *c) \
    {                                                          \
        run_stage(c, RADIX, MODE);                             \
    }
#define SIMD_BATCH_STAGES_OF(NAME, MODE)                                                                    \
    SIMD_BATCH_OF(NAME, MODE, 1)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 2)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 3)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 4)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 5)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 6)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 7)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 8)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 9)                                                                            \
    SIMD_BATCH_OF(NAME, MODE, 10)                                                                           \
    SIMD_BATCH_OF(NAME, MODE, 11)                                                                           \
    SIMD_BATCH_OF(NAME, MODE, 12)                                                                           \
    SIMD_BATCH_OF(NAME, MODE, 13)                                                                           \
    SIMD_BATCH_OF(NAME, MODE, 14)                                                                           \
    SIMD_BATCH_OF(NAME, MODE, 15)                                                                           \
    SIMD_BATCH_OF(NAME, MODE, 16)                                                                           \
    static void NAME(const simd_batch_stage_call *c)                                                        \
    {                                                                                                       \
        static void (*const all[])(const simd_batch_stage_call *) = {                                       \
            NULL,     NAME##_1,  NAME##_2,  NAME##_3,  NAME##_4,  NAME##_5,  NAME##_6,  NAME##_7, NAME##_8, \
            NAME##_9, NAME##_10, NAME##_11, NAME##_12, NAME##_13, NAME##_14, NAME##_15, NAME##_16};         \
        all[c->radix](c);                                                                                   \
    }
