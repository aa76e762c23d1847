/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the kernels of programs. */
#ifndef FFT_GPU_BUILD_H
#define FFT_GPU_BUILD_H

#include "fft/gpu/codegen/program.h"

/* Returns the key of the kernel that a pass launches; NULL if an earlier pass has launched it (later
 * persistent passes, a cluster's second half). */
const char *program_launch_key(const pass_program *p, int pass);
/* Keys of one or more programs, which own them. */
typedef struct program_kernel_keys {
    const char *key[KERNELS_AT_ONCE];
    int count;
} program_kernel_keys;
/* returns false if there are too many */
bool kernels_gather(program_kernel_keys *k, const pass_program *p);
/* Finds all kernels of a program, by pass; missing ones are built one after the other. */
argand_status program_kernels(void *kernels[PROGRAM_PASSES], const pass_program *p, argand_device *device);

#endif
