/* SPDX-License-Identifier: BSD-3-Clause */
/* Codelets of several lines, by the same instructions. */
#define CODELET(name) VARIANT(name##_of_many)
#define COUPLE_MANY 1
#ifdef __AVX2__
#define COUPLE_BYTES 32
#endif
#include "fft/cpu/simd_single/codelets.inc.h"
