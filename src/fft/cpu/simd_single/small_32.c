/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of 32 bytes, where the processor has them. */
#define SIMD_SINGLE_BYTES 32
#define SMALL(name) VARIANT(name##_32)
#ifdef __AVX2__
#include "fft/cpu/simd_single/small.inc.h"
#else
#include "fft/cpu/simd_single/kernels.h"
const simd_single_small *SMALL(simd_single_small_for)(int64_t n, int64_t *lanes_used)
{
    (void)n;
    (void)lanes_used;
    return NULL;
}
#endif
