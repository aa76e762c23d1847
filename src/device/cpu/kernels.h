/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are compiled into the library: each is a function that runs one work-group. */
#ifndef DEVICE_CPU_KERNELS_H
#define DEVICE_CPU_KERNELS_H

#include <stdint.h>

typedef void (*cpu_function)(void *const *memory, const void *params, int64_t group);

typedef struct cpu_kernel {
    const char *key;
    cpu_function function;
} cpu_kernel;

/* Tables that end with a NULL key; those of kernels_wide.c exist for each instruction set (base/cpu.h). */
extern const cpu_kernel cpu_kernels_f32[], cpu_kernels_f64[];
extern const cpu_kernel cpu_kernels_wide_f32_baseline[], cpu_kernels_wide_f32_avx2[],
    cpu_kernels_wide_f32_avx512[], cpu_kernels_wide_f64_baseline[], cpu_kernels_wide_f64_avx2[],
    cpu_kernels_wide_f64_avx512[];

#endif
