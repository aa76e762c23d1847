/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of 16 bytes, where the processor has them. */
#define SIMD_SINGLE_BYTES 16
#define SMALL(name) VARIANT(name##_16)
#include "fft/cpu/simd_single/small.inc.h"
