/* SPDX-License-Identifier: BSD-3-Clause */
/* Half precision by the processor's own conversions, which round as access_from_half and access_to_half do;
 * for files that are compiled for each precision and instruction set. NaNs keep their bits in those
 * functions only: the conversions here return false if there is one. */
#ifndef FFT_CPU_ACCESS_HALVES_H
#define FFT_CPU_ACCESS_HALVES_H

#include <stdbool.h>

#if REAL_BITS == 32 && defined(__AVX512F__)
#include <immintrin.h>
#define HALVES_AT_ONCE 16

static inline __attribute__((always_inline)) bool convert_from(float *to, const char *from)
{
    const __m512 x = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)from));
    _mm512_storeu_ps(to, x);
    return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) == 0;
}

static inline __attribute__((always_inline)) bool convert_to(char *to, const float *from, float f)
{
    const __m512 x = _mm512_mul_ps(_mm512_loadu_ps(from), _mm512_set1_ps(f));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
    return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) == 0;
}

#elif REAL_BITS == 32 && defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>
#define HALVES_AT_ONCE 4

static inline __attribute__((always_inline)) bool convert_from(float *to, const char *from)
{
    float16x4_t halves;
    memcpy(&halves, from, sizeof halves);
    const float32x4_t x = vcvt_f32_f16(halves);
    vst1q_f32(to, x);
    return vminvq_u32(vceqq_f32(x, x)) != 0;
}

static inline __attribute__((always_inline)) bool convert_to(char *to, const float *from, float f)
{
    const float32x4_t x = vmulq_n_f32(vld1q_f32(from), f);
    const float16x4_t halves = vcvt_f16_f32(x);
    memcpy(to, &halves, sizeof halves);
    return vminvq_u32(vceqq_f32(x, x)) != 0;
}

#else
#define HALVES_AT_ONCE 0
#endif

#endif
