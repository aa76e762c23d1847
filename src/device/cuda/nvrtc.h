/* SPDX-License-Identifier: BSD-3-Clause */
/* NVRTC, NVIDIA's compiler as a library, found when the program runs. */
#ifndef DEVICE_CUDA_NVRTC_H
#define DEVICE_CUDA_NVRTC_H

#include "device/backend.h"

/* Opens it on first use; *reason says why it is not there. */
bool nvrtc_open(const char **reason);
void nvrtc_version(int *major, int *minor); /* 0.0 where it is not there */
/* Whether it makes machine code for the capability (90 is 9.0). */
bool nvrtc_knows(int capability);
/* What to compile for: "sm_90a" (machine code), or "compute_120" (PTX) for a chip that is newer than the
 * compiler. */
argand_status nvrtc_architecture(int capability, char *architecture, size_t size);
/* Compiles; the bytes are a cubin, or NUL-ended PTX for a compute_ architecture, in memory of memory_new. */
argand_status nvrtc_compile(const kernel_source *source, const char *architecture, unsigned char **bytes,
                            size_t *count);
/* The same, and the NUL-ended PTX on the way to machine code, too; NULL where it is not wanted. */
argand_status nvrtc_compile_both(const kernel_source *source, const char *architecture, unsigned char **bytes,
                                 size_t *count, unsigned char **ptx);

#endif
