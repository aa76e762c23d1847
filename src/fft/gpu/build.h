/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of programs. */
#ifndef FFT_GPU_BUILD_H
#define FFT_GPU_BUILD_H

#include "fft/gpu/codegen/program.h"

/* What a pass starts; NULL where that is what one before has started: persistent passes' later passes, a
 * cluster's second half. */
const char *program_launch_key(const pass_program *p, int pass);
/* Keys of one or more programs, which lend them. */
typedef struct program_kernel_keys {
    const char *key[KERNELS_AT_ONCE];
    int count;
} program_kernel_keys;
bool kernels_gather(program_kernel_keys *k, const pass_program *p); /* false: it does not fit */
/* All kernels of a program, by the pass; those that are not there are built, one after the other. */
argand_status program_kernels(void *kernels[PROGRAM_PASSES], const pass_program *p, argand_device *device);

#endif
