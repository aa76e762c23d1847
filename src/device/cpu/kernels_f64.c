/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the cpu backend in double precision. */
#define REAL double
#define OTHER float
#define KEY_REAL "double"
#define KEY_OTHER "float"
#define KERNEL_TABLE cpu_kernels_f64
#include "device/cpu/kernels.inc.h"
