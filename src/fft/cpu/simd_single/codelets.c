/* SPDX-License-Identifier: BSD-3-Clause */
/* Codelets of one line. */
#define CODELET(name) VARIANT(name##_of_one)
#include "fft/cpu/simd_single/codelets.inc.h"
