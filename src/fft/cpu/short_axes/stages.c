/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of short axes: a butterfly of a whole axis for as many columns as a vector holds pairs, and its
 * results transposed, so that each column becomes a row. Transforms are forward: an inverse one exchanges
 * real and imaginary parts at both ends. */
#include "fft/cpu/short_axes/stages.h"

#ifdef __AVX2__
#include "fft/cpu/simd_single/pair_vector.h"

#define WHOLE_OF(count) ((1 << (count)) - 1)
#if COUPLE_BYTES == 64 && REAL_BITS == 32
typedef __m256 reals; /* as many as a vector has pairs */
INLINE reals load_reals(const REAL *p, int64_t count)
{
    return count < POINTS ? _mm256_maskz_loadu_ps((__mmask8)WHOLE_OF(count), p) : _mm256_loadu_ps(p);
}
INLINE void store_reals(REAL *p, reals x, const int count)
{
    if (count < POINTS)
        _mm256_mask_storeu_ps(p, (__mmask8)WHOLE_OF(count), x);
    else
        _mm256_storeu_ps(p, x);
}
INLINE couple couples_from(reals x)
{
    return (couple)_mm512_cvtepu32_epi64(_mm256_castps_si256(x));
}
INLINE reals reals_of(couple x)
{
    return _mm256_castsi256_ps(_mm512_cvtepi64_epi32((__m512i)x));
}
INLINE couple load_pairs(const REAL *p, int64_t count)
{
    return count < POINTS ? (couple)_mm512_maskz_loadu_pd((__mmask8)WHOLE_OF(count), p) : load(p);
}
INLINE void store_pairs(REAL *p, couple x, const int count)
{
    if (count < POINTS)
        _mm512_mask_storeu_pd(p, (__mmask8)WHOLE_OF(count), (__m512d)x);
    else
        store(p, x);
}
#elif COUPLE_BYTES == 64
typedef __m256d reals;
INLINE reals load_reals(const REAL *p, int64_t count)
{
    return count < POINTS ? _mm256_maskz_loadu_pd((__mmask8)WHOLE_OF(count), p) : _mm256_loadu_pd(p);
}
INLINE void store_reals(REAL *p, reals x, const int count)
{
    __asm__("" : "+v"(x)); /* else GCC takes vextractf64x4, which faults where the mask is 0 */
    if (count < POINTS)
        _mm256_mask_storeu_pd(p, (__mmask8)WHOLE_OF(count), x);
    else
        _mm256_storeu_pd(p, x);
}
INLINE couple couples_from(reals x)
{
    const __m512i places = _mm512_setr_epi64(0, 0, 1, 0, 2, 0, 3, 0);
    return (couple)_mm512_maskz_permutexvar_pd(0x55, places, _mm512_castpd256_pd512(x));
}
INLINE reals reals_of(couple x)
{
    const __m512i places = _mm512_setr_epi64(0, 2, 4, 6, 0, 0, 0, 0);
    return _mm512_castpd512_pd256(_mm512_permutexvar_pd(places, (__m512d)x));
}
INLINE couple load_pairs(const REAL *p, int64_t count)
{
    return count < POINTS ? (couple)_mm512_maskz_loadu_pd((__mmask8)WHOLE_OF(2 * count), p) : load(p);
}
INLINE void store_pairs(REAL *p, couple x, const int count)
{
    if (count < POINTS)
        _mm512_mask_storeu_pd(p, (__mmask8)WHOLE_OF(2 * count), (__m512d)x);
    else
        store(p, x);
}
#else
#if REAL_BITS == 32
typedef __m128 reals;
INLINE couple couples_from(reals x)
{
    return (couple)_mm256_cvtepu32_epi64(_mm_castps_si128(x));
}
INLINE reals reals_of(couple x)
{
    return _mm_shuffle_ps(_mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1), 0x88);
}
#else
typedef __m128d reals;
INLINE couple couples_from(reals x)
{
    const __m256d twice = _mm256_permute4x64_pd(_mm256_castpd128_pd256(x), 0x10);
    return (couple)_mm256_blend_pd(twice, _mm256_setzero_pd(), 0xa);
}
INLINE reals reals_of(couple x)
{
    return _mm_unpacklo_pd(_mm256_castpd256_pd128((__m256d)x), _mm256_extractf128_pd((__m256d)x, 1));
}
#endif
INLINE reals load_reals(const REAL *p, int64_t count)
{
    reals x = {0};
    if (count >= POINTS)
        memcpy(&x, p, sizeof x);
    else
        memcpy(&x, p, (size_t)count * sizeof(REAL));
    return x;
}
INLINE void store_reals(REAL *p, reals x, const int count)
{
    memcpy(p, &x, (size_t)count * sizeof(REAL));
}
INLINE couple load_pairs(const REAL *p, int64_t count)
{
    couple x = {0};
    if (count >= POINTS) return load(p);
    memcpy(&x, p, (size_t)count * 2 * sizeof(REAL));
    return x;
}
INLINE void store_pairs(REAL *p, couple x, const int count)
{
    memcpy(p, &x, (size_t)count * 2 * sizeof(REAL));
}
#endif

/* ---- a stage ---- */

/* The conjugate of a number whose parts are exchanged: inverse transforms have them so between the stages. */
INLINE couple mirrored(couple x)
{
    return x * couple_of(-1, 1);
}

/* The points of `count` columns; where the stage reads half spectra, the others by symmetry. */
INLINE void read_points(couple *x, const REAL *at, const short_axes_stage *s, int64_t count, const int radix)
{
    const int half = radix / 2 + 1;
    if (s->from == FROM_REALS)
        UNROLL for (int i = 0; i < radix; i++) x[i] = couples_from(load_reals(at + i * s->step, count));
    else if (s->from == FROM_HALVES) {
        UNROLL for (int i = 0; i < half; i++) x[i] = load_pairs(at + i * s->step, count);
        UNROLL for (int i = half; i < radix; i++) x[i] = mirrored(x[radix - i]);
    } else if (count < POINTS)
        UNROLL for (int i = 0; i < radix; i++) x[i] = load_pairs(at + i * s->step, count);
    else
        load_points(x, at, s->step, radix);
    if (s->exchange_in) UNROLL for (int i = 0; i < radix; i++) x[i] = swapped(x[i]);
}

/* The first `kept` points of the first `count` columns, each as a row. */
INLINE void write_rows(REAL *to, int64_t row, const couple *x, int64_t count, const short_axes_sink sink,
                       const int radix, const int kept)
{
    const int width = sink == TO_REALS ? 1 : 2;
    UNROLL for (int k = 0; k < kept; k += POINTS)
    {
        const int left = kept - k < POINTS ? kept - k : POINTS;
        couple from[POINTS], y[POINTS];
        UNROLL for (int i = 0; i < POINTS; i++) from[i] = k + i < radix ? x[k + i] : (couple){0};
        transpose_points(y, from);
        UNROLL for (int i = 0; i < POINTS; i++)
        {
            if (i >= count) continue;
            REAL *at = to + i * row + k * width;
            if (sink == TO_CELLS)
                store(at, y[i]);
            else if (sink == TO_REALS)
                store_reals(at, reals_of(y[i]), left);
            else
                store_pairs(at, y[i], left);
        }
    }
}

/* The rows of `count` columns, the first of which is column `first` of all. */
INLINE void write_columns(REAL *out, int64_t first, couple *x, int64_t count, const short_axes_stage *s,
                          REAL factor, const int radix)
{
    const int cells = (radix + POINTS - 1) / POINTS * POINTS, half = radix / 2 + 1;
    if (s->exchange_out) UNROLL for (int i = 0; i < radix; i++) x[i] = swapped(x[i]);
    if (factor != 1) UNROLL for (int i = 0; i < radix; i++) x[i] *= factor;
    switch (s->to) {
    case TO_CELLS:
        write_rows(out + first * 2 * cells, 2 * cells, x, count, TO_CELLS, radix, radix);
        break;
    case TO_PAIRS:
        write_rows(out + first * 2 * radix, 2 * radix, x, count, TO_PAIRS, radix, radix);
        break;
    case TO_HALVES:
        write_rows(out + first * 2 * half, 2 * half, x, count, TO_HALVES, radix, half);
        break;
    case TO_REALS:
        write_rows(out + first * s->row, s->row, x, count, TO_REALS, radix, radix);
        break;
    }
}

INLINE void run_stage(REAL *out, const REAL *in, const short_axes_stage *s, REAL factor, const int radix)
{
    const int64_t columns = s->columns, width = s->from == FROM_REALS ? 1 : 2;
    for (int64_t g = 0; g < s->groups; g++, in += s->pitch)
        for (int64_t i = 0; i < columns; i += POINTS) {
            const int64_t column = s->cells || columns < POINTS ? i : begin_of(i, columns),
                          count = columns - column < POINTS ? columns - column : POINTS;
            couple x[SHORT_AXES_MOST];
            read_points(x, in + column * width, s, s->cells ? POINTS : count, radix);
            couples(x, radix, 1);
            write_columns(out, g * columns + column, x, count, s, factor, radix);
        }
}

#define STAGE(radix)                                                                                   \
    static void stage_##radix(void *out, const void *in, const short_axes_stage *stage, double factor) \
    {                                                                                                  \
        run_stage(out, in, stage, (REAL)factor, radix);                                                \
    }
#define FROM_2(f) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)
FROM_2(STAGE)

#define ENTRY(radix) [radix] = stage_##radix,
const short_axes_stages *VARIANT(short_axes_stages_for)(void)
{
    static const short_axes_stages stages = {.points = POINTS, .run = {FROM_2(ENTRY)}};
    return &stages;
}
#else
const short_axes_stages *VARIANT(short_axes_stages_for)(void)
{
    return 0;
}
#endif
