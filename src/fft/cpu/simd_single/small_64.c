/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of 64 bytes, where the processor has them. */
#define WITHIN_BYTES 64
#define SMALL(name) VARIANT(name##_64)
#ifdef __AVX512F__
#include "fft/cpu/simd_single/small.inc.h"
#else
#include "fft/cpu/simd_single/kernels.h"
const within_small *SMALL(fft_within_small)(int64_t n, int64_t *lanes_used)
{
    (void)n;
    (void)lanes_used;
    return NULL;
}
#endif
