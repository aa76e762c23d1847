/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects the instruction sets of processor and operating system. cmake/Levels.cmake also compiles this
 * file, in a program of its own. */
#ifndef BASE_CPU_HARDWARE_H
#define BASE_CPU_HARDWARE_H

#include "cpu.h"

static inline cpu_level cpu_hardware_level(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return CPU_BASELINE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return CPU_AVX512;
    return CPU_AVX2;
#else
    return CPU_BASELINE;
#endif
}

#endif
