/* SPDX-License-Identifier: BSD-3-Clause */
/* SIMD vectors of REAL with the width of the instruction set of the compiled file, by the vector
 * extensions of GCC and Clang, and the shuffles of complex numbers that transforms need. */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include <stdint.h>
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#pragma GCC diagnostic ignored "-Wpsabi" /* no function here is called across files */

/* SIMD_REGISTERS: of the width of a vector. */
#ifdef __AVX512F__
#define VECTOR_BYTES 64
#define SIMD_REGISTERS 32
#elif defined(__aarch64__)
#define VECTOR_BYTES 16 /* NEON: GCC keeps wider vectors in memory */
#define SIMD_REGISTERS 32
#else
#define VECTOR_BYTES 32 /* two halves without AVX */
#define SIMD_REGISTERS 16
#endif
#define VECTOR_REALS (8 * VECTOR_BYTES / REAL_BITS) /* IN_VECTOR, for the preprocessor */
enum { IN_VECTOR = VECTOR_BYTES / (int)sizeof(REAL), IN_HALF = IN_VECTOR / 2 };

typedef REAL vector __attribute__((vector_size(VECTOR_BYTES)));
typedef REAL half __attribute__((vector_size(VECTOR_BYTES / 2)));
typedef REAL pair __attribute__((vector_size(2 * sizeof(REAL)))); /* a complex number */
typedef REAL vector_anywhere __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));
typedef REAL half_anywhere __attribute__((vector_size(VECTOR_BYTES / 2), aligned(sizeof(REAL)), may_alias));
typedef REAL pair_anywhere __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

INLINE vector load(const REAL *p)
{
    return *(const vector_anywhere *)p;
}
INLINE void store(REAL *p, vector v)
{
    *(vector_anywhere *)p = v;
}
INLINE half load_half(const REAL *p)
{
    return *(const half_anywhere *)p;
}
INLINE void store_half(REAL *p, half v)
{
    *(half_anywhere *)p = v;
}
INLINE pair load_pair(const REAL *p)
{
    return *(const pair_anywhere *)p;
}
INLINE void store_pair(REAL *p, pair v)
{
    *(pair_anywhere *)p = v;
}

/* Loads the first `reals` elements of a vector; the others are 0. */
#ifdef __AVX512F__
#if REAL_BITS == 32
#define MASKED_LOAD(mask, at) ((vector)_mm512_maskz_loadu_ps((__mmask16)(mask), at))
#define MASKED_STORE(at, mask, v) _mm512_mask_storeu_ps(at, (__mmask16)(mask), (__m512)(v))
#else
#define MASKED_LOAD(mask, at) ((vector)_mm512_maskz_loadu_pd((__mmask8)(mask), at))
#define MASKED_STORE(at, mask, v) _mm512_mask_storeu_pd(at, (__mmask8)(mask), (__m512d)(v))
#endif
INLINE uint32_t mask_of(int64_t reals)
{
    return reals <= 0 ? 0 : (UINT32_C(1) << reals) - 1;
}

INLINE vector load_some(const REAL *at, int64_t reals)
{
    return reals >= IN_VECTOR ? load(at) : MASKED_LOAD(mask_of(reals), at);
}

INLINE void store_some(REAL *at, vector v, int64_t reals)
{
    if (reals >= IN_VECTOR)
        store(at, v);
    else
        MASKED_STORE(at, mask_of(reals), v);
}
#else
INLINE vector load_some(const REAL *at, int64_t reals)
{
    vector v = {0};
    if (reals >= IN_VECTOR) return load(at);
    for (int64_t i = 0; i < reals; i++) v[i] = at[i];
    return v;
}

INLINE void store_some(REAL *at, vector v, int64_t reals)
{
    if (reals >= IN_VECTOR)
        store(at, v);
    else
        for (int64_t i = 0; i < reals; i++) at[i] = v[i];
}
#endif

#if VECTOR_REALS == 16
#define EACH_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#define PAIR_REPEATED 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1
#define PAIR_SWAPPED 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#elif VECTOR_REALS == 8
#define EACH_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#define PAIR_REPEATED 0, 1, 0, 1, 0, 1, 0, 1
#define PAIR_SWAPPED 1, 0, 3, 2, 5, 4, 7, 6
#elif VECTOR_REALS == 4
#define EACH_TWICE 0, 0, 1, 1
#define PAIR_REPEATED 0, 1, 0, 1
#define PAIR_SWAPPED 1, 0, 3, 2
#else /* 2 */
#define EACH_TWICE 0, 0
#define PAIR_REPEATED 0, 1
#define PAIR_SWAPPED 1, 0
#endif

/* w0 w0 w1 w1 ...: real weights that multiply complex numbers */
INLINE vector each_twice(half w)
{
    return __builtin_shufflevector(w, w, EACH_TWICE);
}
/* re im re im ...; GCC 12 would pass a vector of four times the length through memory, and wait for it. */
INLINE vector repeated(pair z)
{
#if REAL_BITS == 32 && VECTOR_BYTES >= 32
    typedef double wide __attribute__((vector_size(VECTOR_BYTES)));
    double both;
    memcpy(&both, &z, sizeof both);
#if VECTOR_BYTES == 64
    return (vector)(wide){both, both, both, both, both, both, both, both};
#else
    return (vector)(wide){both, both, both, both};
#endif
#elif VECTOR_REALS == 8
    const half twice = __builtin_shufflevector(z, z, 0, 1, 0, 1);
    return __builtin_shufflevector(twice, twice, 0, 1, 2, 3, 0, 1, 2, 3);
#else
    return __builtin_shufflevector(z, z, PAIR_REPEATED);
#endif
}

/* im re im re ... */
INLINE vector swapped(vector v)
{
    return __builtin_shufflevector(v, v, PAIR_SWAPPED);
}

/* Returns the sum of the complex numbers of a vector, always in the same order. */
INLINE pair sum_complex(vector v)
{
#if VECTOR_REALS == 16
    const half h = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                   __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    typedef REAL quarter __attribute__((vector_size(VECTOR_BYTES / 4)));
    const quarter q = __builtin_shufflevector(h, h, 0, 1, 2, 3) + __builtin_shufflevector(h, h, 4, 5, 6, 7);
    return __builtin_shufflevector(q, q, 0, 1) + __builtin_shufflevector(q, q, 2, 3);
#elif VECTOR_REALS == 8
    const half h = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    return __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
#elif VECTOR_REALS == 4
    return __builtin_shufflevector(v, v, 0, 1) + __builtin_shufflevector(v, v, 2, 3);
#else
    return v;
#endif
}

#endif
