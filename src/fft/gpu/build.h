/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of programs. */
#ifndef FFT_GPU_BUILD_H
#define FFT_GPU_BUILD_H

#include "fft/gpu/codegen/program.h"

/* What a pass starts; NULL where that is what one before has started: a wave's later passes, a
 * cluster's second half. */
const char *program_launch_key(const box_program *p, int pass);
/* Keys of one or more programs, which lend them. */
typedef struct box_kernels {
    const char *key[KERNELS_AT_ONCE];
    int count;
} box_kernels;
bool kernels_gather(box_kernels *k, const box_program *p); /* false: no room */
/* All kernels of a program, by the pass; those that are not there are built, one after the other. */
argand_status program_kernels(void *kernels[BOX_PASSES], const box_program *p, argand_device *device);

#endif
