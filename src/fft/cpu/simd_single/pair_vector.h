/* SPDX-License-Identifier: BSD-3-Clause */
/* The widest vectors of pairs (pair.h) that the instruction set has, from AVX2 on: loads, stores, products,
 * and blocks of POINTS x POINTS points, transposed. */
#ifndef FFT_CPU_SIMD_SINGLE_PAIR_VECTOR_H
#define FFT_CPU_SIMD_SINGLE_PAIR_VECTOR_H

#include <immintrin.h>
#ifdef __AVX512F__
#define COUPLE_BYTES 64
#else
#define COUPLE_BYTES 32
#endif
#include "fft/cpu/simd_single/pair.h"

enum { POINTS = COUPLE_LINES };
typedef REAL couple_anywhere __attribute__((vector_size(COUPLE_BYTES), aligned(sizeof(REAL)), may_alias));

INLINE couple load(const REAL *p)
{
    return *(const couple_anywhere *)p;
}
/* The first `columns` points, and zeros, where there are fewer than POINTS: with AVX-512 only */
INLINE couple load_some(const REAL *p, int64_t columns)
{
#if COUPLE_BYTES == 64 && REAL_BITS == 32
    if (columns < POINTS) return (couple)_mm512_maskz_loadu_ps((__mmask16)((1 << 2 * columns) - 1), p);
#else
    (void)columns;
#endif
    return load(p);
}
INLINE void store(REAL *p, couple x)
{
    *(couple_anywhere *)p = x;
}

/* By name: compilers take multiplications by 1 and -1. */
#if COUPLE_BYTES == 64 && REAL_BITS == 64
#define WIDE(name) _mm512_##name##_pd
typedef __m512d wide;
#elif COUPLE_BYTES == 64
#define WIDE(name) _mm512_##name##_ps
typedef __m512 wide;
#elif REAL_BITS == 64
#define WIDE(name) _mm256_##name##_pd
typedef __m256d wide;
#else
#define WIDE(name) _mm256_##name##_ps
typedef __m256 wide;
#endif

/* x (c - i s), or x (c + i s) */
INLINE couple rotated(couple x, couple c, couple s, int sense)
{
    const wide product = (wide)(swapped(x) * s);
    return (couple)(sense > 0 ? WIDE(fmsubadd)((wide)x, (wide)c, product)
                              : WIDE(fmaddsub)((wide)x, (wide)c, product));
}

/* Rotates by a vector of pairs (c, s): shuffles cost less than the cache that two vectors would take. */
INLINE couple rotated_by(couple x, const REAL *factors, int sense)
{
    const couple w = load(factors);
    return rotated(x, SHUFFLED_COUPLES(w, w, 0, 0), SHUFFLED_COUPLES(w, w, 1, 1), sense);
}

/* Rotates by one pair (c, s). */
INLINE couple rotated_by_one(couple x, const REAL *factor, int sense)
{
    return rotated(x, couple_of(factor[0], factor[0]), couple_of(factor[1], factor[1]), sense);
}

/* ---- POINTS vectors of POINTS points, transposed ---- */

#if COUPLE_BYTES == 64
#define HALVES(a, b, which) _mm512_shuffle_f64x2(a, b, which)
/* Four vectors of four parts of 16 bytes */
INLINE void transpose_parts(__m512d *x, const int step)
{
    const __m512d a = HALVES(x[0], x[step], 0x44), b = HALVES(x[0], x[step], 0xee),
                  c = HALVES(x[2 * step], x[3 * step], 0x44), d = HALVES(x[2 * step], x[3 * step], 0xee);
    x[0] = HALVES(a, c, 0x88);
    x[step] = HALVES(a, c, 0xdd);
    x[2 * step] = HALVES(b, d, 0x88);
    x[3 * step] = HALVES(b, d, 0xdd);
}
typedef __m512d doubles;
#define LOW(a, b) _mm512_unpacklo_pd(a, b)
#define HIGH(a, b) _mm512_unpackhi_pd(a, b)
#else
INLINE void transpose_parts(__m256d *x, const int step)
{
    const __m256d a = x[0], b = x[step];
    x[0] = _mm256_permute2f128_pd(a, b, 0x20);
    x[step] = _mm256_permute2f128_pd(a, b, 0x31);
}
typedef __m256d doubles;
#define LOW(a, b) _mm256_unpacklo_pd(a, b)
#define HIGH(a, b) _mm256_unpackhi_pd(a, b)
#endif

INLINE void transpose_points(couple *to, const couple *from)
{
    doubles x[POINTS];
#if REAL_BITS == 64
    UNROLL for (int i = 0; i < POINTS; i++) x[i] = (doubles)from[i];
    transpose_parts(x, 1);
#else
    UNROLL for (int i = 0; i < POINTS; i += 2)
    {
        x[i] = LOW((doubles)from[i], (doubles)from[i + 1]);
        x[i + 1] = HIGH((doubles)from[i], (doubles)from[i + 1]);
    }
    transpose_parts(x, 2);
    transpose_parts(x + 1, 2);
#endif
    UNROLL for (int i = 0; i < POINTS; i++) to[i] = (couple)x[i];
}

/* ---- the points of a butterfly ---- */

/* A butterfly's points by few registers: every fourth address, and three steps. */
typedef struct steps {
    REAL *fourth[4];
    int64_t one, three;
} steps;

INLINE steps steps_from(const REAL *at, int64_t step, const int radix)
{
    steps s = {.fourth = {(REAL *)(uintptr_t)at}, .one = step, .three = 3 * step};
    __asm__("" : "+r"(s.three));
    UNROLL for (int i = 1; i < (radix + 3) / 4; i++)
    {
        s.fourth[i] = s.fourth[i - 1] + 4 * step;
        __asm__("" : "+r"(s.fourth[i]));
    }
    return s;
}

INLINE REAL *point_at(const steps *s, const int i)
{
    return s->fourth[i / 4] + (i % 4 == 3 ? s->three : i % 4 * s->one);
}

INLINE void load_points(couple *x, const REAL *at, int64_t step, const int radix)
{
    const steps s = steps_from(at, step, radix);
    UNROLL for (int i = 0; i < radix; i++) x[i] = load(point_at(&s, i));
}

INLINE void store_points(REAL *at, int64_t step, const couple *x, const int radix)
{
    const steps s = steps_from(at, step, radix);
    UNROLL for (int i = 0; i < radix; i++) store(point_at(&s, i), x[i]);
}

INLINE int64_t begin_of(int64_t i, int64_t count)
{
    return i && i + POINTS > count ? count - POINTS : i;
}

#endif
