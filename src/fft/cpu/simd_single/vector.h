/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors along a line: LANES reals of one kind (real or imaginary parts),
 * from and to interleaved complex numbers, and blocks of LANES x LANES transposed.
 * A cell is a vector of real parts and one of imaginary ones. Whoever includes
 * this has set REAL and SIMD_SINGLE_BYTES, a vector's size: 16, 32 or 64. */
#ifndef FFT_CPU_SIMD_SINGLE_VECTOR_H
#define FFT_CPU_SIMD_SINGLE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include "fft/cpu/simd_single/kernels.h"
#if SIMD_SINGLE_BYTES > 16 || defined(__AVX512F__)
#include <immintrin.h>
#endif

#pragma GCC diagnostic ignored "-Wpsabi" /* nothing here is called across files */

enum {
    LANES = SIMD_SINGLE_BYTES / (int)sizeof(REAL),
    CELL = 2 * LANES,
    PART = 16 / (int)sizeof(REAL), /* lanes in 16 bytes, within which shuffles are cheap */
    PARTS = LANES / PART,
    TRANSPOSED = PARTS == 4 ? 2 * PART : PART /* columns that columns() gives at a time */
};

typedef REAL lanes __attribute__((vector_size(SIMD_SINGLE_BYTES)));
typedef REAL lanes_anywhere __attribute__((vector_size(SIMD_SINGLE_BYTES), aligned(sizeof(REAL)), may_alias));
#if SIMD_SINGLE_BYTES > 16
typedef REAL half_lanes __attribute__((vector_size(SIMD_SINGLE_BYTES / 2)));
typedef REAL half_anywhere
    __attribute__((vector_size(SIMD_SINGLE_BYTES / 2), aligned(sizeof(REAL)), may_alias));
#endif

#define DEVICE static inline __attribute__((always_inline))
#define PRIVATE
#define UNROLL _Pragma("GCC unroll 16")
#define LANE lanes
#include "kernels/fft/radix.h"

DEVICE lanes lanes_load(const REAL *p)
{
    return *(const lanes_anywhere *)p;
}
DEVICE void lanes_store(REAL *p, lanes v)
{
    *(lanes_anywhere *)p = v;
}

/* An index list for shuffles: f(first lane) of each part of 16 bytes. */
#if SIMD_SINGLE_BYTES == 64
#define EACH_PART(f) f(0), f(PART), f(2 * PART), f(3 * PART)
#define EACH_HALF(f) EACH_PART(f)
#elif SIMD_SINGLE_BYTES == 32
#define EACH_PART(f) f(0), f(PART)
#else
#define EACH_PART(f) f(0)
#endif

#if REAL_BITS == 32
#define LOW_OF(b) (b), (b) + LANES, (b) + 1, (b) + 1 + LANES
#define HIGH_OF(b) (b) + 2, (b) + 2 + LANES, (b) + 3, (b) + 3 + LANES
#define LOW_PAIR_OF(b) (b), (b) + 1, (b) + LANES, (b) + 1 + LANES
#define HIGH_PAIR_OF(b) (b) + 2, (b) + 3, (b) + 2 + LANES, (b) + 3 + LANES
#define EVEN_OF(b) (b), (b) + 2, (b) + LANES, (b) + 2 + LANES
#define ODD_OF(b) (b) + 1, (b) + 3, (b) + 1 + LANES, (b) + 3 + LANES
#else
#define LOW_OF(b) (b), (b) + LANES
#define HIGH_OF(b) (b) + 1, (b) + 1 + LANES
#define EVEN_OF(b) LOW_OF(b)
#define ODD_OF(b) HIGH_OF(b)
#endif
#define SHUFFLED(a, b, which) __builtin_shufflevector(a, b, EACH_PART(which))

#if SIMD_SINGLE_BYTES == 64 && REAL_BITS == 32
#define ALL_EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ALL_ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define EVEN_PARTS 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define ODD_PARTS 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define FIRST_HALF 0, 1, 2, 3, 4, 5, 6, 7
#define SECOND_HALF 8, 9, 10, 11, 12, 13, 14, 15
#define JOINED 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#elif SIMD_SINGLE_BYTES == 64
#define ALL_EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ALL_ODD 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define EVEN_PARTS 0, 1, 4, 5, 8, 9, 12, 13
#define ODD_PARTS 2, 3, 6, 7, 10, 11, 14, 15
#define JOINED 0, 1, 2, 3, 4, 5, 6, 7
#elif SIMD_SINGLE_BYTES == 32 && REAL_BITS == 32
#define JOINED 0, 1, 2, 3, 4, 5, 6, 7
#define FIRST_PART 0, 1, 2, 3
#define SECOND_PART 4, 5, 6, 7
#elif SIMD_SINGLE_BYTES == 32
#define JOINED 0, 1, 2, 3
#define FIRST_PART 0, 1
#define SECOND_PART 2, 3
#endif

#if SIMD_SINGLE_BYTES > 16
/* Half a vector from p, half from q. By name: the second is then a load, where
 * a compiler left alone takes a shuffle. */
DEVICE lanes joined(const REAL *p, const REAL *q)
{
#if SIMD_SINGLE_BYTES == 64
    const __m512d low = _mm512_castpd256_pd512((__m256d) * (const half_anywhere *)p);
    return (lanes)_mm512_insertf64x4(low, (__m256d) * (const half_anywhere *)q, 1);
#else
    const __m256d low = _mm256_castpd128_pd256((__m128d) * (const half_anywhere *)p);
    return (lanes)_mm256_insertf128_pd(low, (__m128d) * (const half_anywhere *)q, 1);
#endif
}
#endif

/* The number of points of a vector that are used, if it may be below LANES: with AVX-512 only. For packed
 * lines (packed.c): the reals from line to line. */
#if SIMD_SINGLE_PACKED
typedef struct some {
    int64_t pitch;
} some;
#elif SIMD_SINGLE_BYTES == 64
#if REAL_BITS == 32
typedef __mmask16 lane_mask;
#define MASKED_LOAD(mask, p) ((lanes)_mm512_maskz_loadu_ps(mask, p))
#define MASKED_STORE(p, mask, v) _mm512_mask_storeu_ps(p, mask, (__m512)(v))
#else
typedef __mmask8 lane_mask;
#define MASKED_LOAD(mask, p) ((lanes)_mm512_maskz_loadu_pd(mask, p))
#define MASKED_STORE(p, mask, v) _mm512_mask_storeu_pd(p, mask, (__m512d)(v))
#endif
typedef struct some {
    lane_mask low, high, real;
} some;
DEVICE some some_of(int64_t count)
{
    const uint32_t numbers = count < LANES ? (UINT32_C(1) << 2 * count) - 1 : UINT32_MAX;
    const uint32_t reals = count < LANES ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
    return (some){(lane_mask)numbers, (lane_mask)(numbers >> LANES), (lane_mask)reals};
}
#else
typedef struct some {
    char none;
} some;
DEVICE some some_of(int64_t count)
{
    (void)count;
    return (some){0};
}
#endif

/* Complex points */
DEVICE struct fft_point point_load(const REAL *p, some count)
{
#if SIMD_SINGLE_PACKED && SIMD_SINGLE_BYTES == 64
    const lanes a = joined(p, p + count.pitch), b = joined(p + 2 * count.pitch, p + 3 * count.pitch);
    return fft_make(__builtin_shufflevector(a, b, ALL_EVEN), __builtin_shufflevector(a, b, ALL_ODD));
#elif SIMD_SINGLE_PACKED
    const lanes a = joined(p, p + count.pitch), b = joined(p + PART, p + PART + count.pitch);
    return fft_make(SHUFFLED(a, b, EVEN_OF), SHUFFLED(a, b, ODD_OF));
#elif SIMD_SINGLE_BYTES == 64
    const lanes a = MASKED_LOAD(count.low, p), b = MASKED_LOAD(count.high, p + LANES);
    return fft_make(__builtin_shufflevector(a, b, ALL_EVEN), __builtin_shufflevector(a, b, ALL_ODD));
#else
    (void)count;
#if SIMD_SINGLE_BYTES == 32
    const lanes a = joined(p, p + LANES), b = joined(p + PART, p + LANES + PART);
#else
    const lanes a = lanes_load(p), b = lanes_load(p + LANES);
#endif
    return fft_make(SHUFFLED(a, b, EVEN_OF), SHUFFLED(a, b, ODD_OF));
#endif
}

DEVICE void point_store(REAL *p, struct fft_point x, some count)
{
#if SIMD_SINGLE_PACKED && SIMD_SINGLE_BYTES == 64
    const lanes a = __builtin_shufflevector(x.re, x.im, ZIP_LOW),
                b = __builtin_shufflevector(x.re, x.im, ZIP_HIGH);
    *(half_anywhere *)p = __builtin_shufflevector(a, a, FIRST_HALF);
    *(half_anywhere *)(p + count.pitch) = __builtin_shufflevector(a, a, SECOND_HALF);
    *(half_anywhere *)(p + 2 * count.pitch) = __builtin_shufflevector(b, b, FIRST_HALF);
    *(half_anywhere *)(p + 3 * count.pitch) = __builtin_shufflevector(b, b, SECOND_HALF);
#elif SIMD_SINGLE_PACKED
    const lanes a = SHUFFLED(x.re, x.im, LOW_OF), b = SHUFFLED(x.re, x.im, HIGH_OF);
    *(half_anywhere *)p = __builtin_shufflevector(a, a, FIRST_PART);
    *(half_anywhere *)(p + PART) = __builtin_shufflevector(b, b, FIRST_PART);
    *(half_anywhere *)(p + count.pitch) = __builtin_shufflevector(a, a, SECOND_PART);
    *(half_anywhere *)(p + count.pitch + PART) = __builtin_shufflevector(b, b, SECOND_PART);
#elif SIMD_SINGLE_BYTES == 64
    MASKED_STORE(p, count.low, __builtin_shufflevector(x.re, x.im, ZIP_LOW));
    MASKED_STORE(p + LANES, count.high, __builtin_shufflevector(x.re, x.im, ZIP_HIGH));
#else
    const lanes a = SHUFFLED(x.re, x.im, LOW_OF), b = SHUFFLED(x.re, x.im, HIGH_OF);
    (void)count;
#if SIMD_SINGLE_BYTES == 32
    *(half_anywhere *)p = __builtin_shufflevector(a, a, FIRST_PART);
    *(half_anywhere *)(p + PART) = __builtin_shufflevector(b, b, FIRST_PART);
    *(half_anywhere *)(p + LANES) = __builtin_shufflevector(a, a, SECOND_PART);
    *(half_anywhere *)(p + LANES + PART) = __builtin_shufflevector(b, b, SECOND_PART);
#else
    lanes_store(p, a);
    lanes_store(p + LANES, b);
#endif
#endif
}

DEVICE lanes real_load(const REAL *p, some count)
{
#if SIMD_SINGLE_BYTES == 64 && !SIMD_SINGLE_PACKED
    return MASKED_LOAD(count.real, p);
#else
    (void)count;
    return lanes_load(p);
#endif
}

#if SIMD_SINGLE_PACKED
/* 16 bytes from there, in each part */
DEVICE lanes repeated(const REAL *p)
{
#if SIMD_SINGLE_BYTES == 64
    return (lanes)_mm512_broadcast_f32x4(_mm_loadu_ps(p));
#else
    return joined(p, p);
#endif
}
#endif

/* Up to LANES points */
DEVICE void points_copy(REAL *to, const REAL *from, int64_t count)
{
#ifdef __AVX512F__
    enum { IN_BYTES = 64 / (2 * (int)sizeof(REAL)) };
    for (int64_t i = 0; i < count; i += IN_BYTES) {
        const int64_t numbers = count - i < IN_BYTES ? count - i : IN_BYTES,
                      doubles = numbers * 2 * (int64_t)sizeof(REAL) / 8;
        const __mmask8 mask = (__mmask8)((UINT32_C(1) << doubles) - 1);
        _mm512_mask_storeu_pd(to + 2 * i, mask, _mm512_maskz_loadu_pd(mask, from + 2 * i));
    }
#else
    for (int64_t i = 0; i < 2 * count; i++) to[i] = from[i];
#endif
}

/* Weights in registers: where they are, and the sign of imaginary parts or the one factor. */
typedef struct multiplier {
    simd_single_weights_kind kind;
    const REAL *at;
    REAL re, im;
} multiplier;

DEVICE multiplier multiplier_of(const simd_single_weights *w, const simd_single_weights_kind kind)
{
    if (kind == WEIGHTS_NONE) return (multiplier){.kind = kind};
    return (multiplier){
        .kind = kind, .at = w->at, .re = (REAL)(kind == WEIGHTS_ONE ? w->re : w->sign), .im = (REAL)w->im};
}

/* Multiplies a point by its weight; `reals` is its distance from the point of the first weight. */
DEVICE struct fft_point point_multiplied(struct fft_point x, const multiplier *w, int64_t reals, some count)
{
    if (w->kind == WEIGHTS_ONE) return fft_twiddle(x, w->re, -w->im);
    if (w->kind == WEIGHTS_REAL) {
        const lanes y = real_load(w->at + reals / 2, count);
        return fft_make(x.re * y, x.im * y);
    }
    const struct fft_point y = point_load(w->at + reals, count);
    return fft_multiply(x, fft_make(y.re, y.im * w->re));
}

DEVICE struct fft_point cell_load(const REAL *p)
{
    return fft_make(lanes_load(p), lanes_load(p + LANES));
}

DEVICE void cell_store(REAL *p, struct fft_point x)
{
    lanes_store(p, x.re);
    lanes_store(p + LANES, x.im);
}

/* PART vectors transposed in each 16 bytes */
DEVICE void transpose_parts(lanes *out, const lanes *in)
{
#if REAL_BITS == 32
    const lanes a = SHUFFLED(in[0], in[1], LOW_OF), b = SHUFFLED(in[0], in[1], HIGH_OF),
                c = SHUFFLED(in[2], in[3], LOW_OF), d = SHUFFLED(in[2], in[3], HIGH_OF);
    out[0] = SHUFFLED(a, c, LOW_PAIR_OF);
    out[1] = SHUFFLED(a, c, HIGH_PAIR_OF);
    out[2] = SHUFFLED(b, d, LOW_PAIR_OF);
    out[3] = SHUFFLED(b, d, HIGH_PAIR_OF);
#else
    out[0] = SHUFFLED(in[0], in[1], LOW_OF);
    out[1] = SHUFFLED(in[0], in[1], HIGH_OF);
#endif
}

/* TURNED columns of LANES rows whose stride is a cell */
DEVICE void columns(lanes *out, const REAL *from)
{
#if SIMD_SINGLE_BYTES == 64
    lanes even[PART], odd[PART];
    UNROLL for (int i = 0; i < PART; i++)
    {
        const REAL *row = from + i * CELL;
        const lanes a = joined(row, row + PART * CELL),
                    b = joined(row + 2 * PART * CELL, row + 3 * PART * CELL);
        even[i] = __builtin_shufflevector(a, b, EVEN_PARTS);
        odd[i] = __builtin_shufflevector(a, b, ODD_PARTS);
    }
    transpose_parts(out, even);
    transpose_parts(out + PART, odd);
#else
    lanes rows[PART];
    UNROLL for (int i = 0; i < PART; i++)
#if SIMD_SINGLE_BYTES == 32
        rows[i] = joined(from + i * CELL, from + (i + PART) * CELL);
#else
        rows[i] = lanes_load(from + i * CELL);
#endif
    transpose_parts(out, rows);
#endif
}

#endif
