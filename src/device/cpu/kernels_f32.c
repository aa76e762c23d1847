/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the cpu backend in single precision. */
#define REAL float
#define OTHER double
#define KEY_REAL "float"
#define KEY_OTHER "double"
#define KERNEL_TABLE cpu_kernels_f32
#include "device/cpu/kernels.inc.h"
