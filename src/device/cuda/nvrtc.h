/* SPDX-License-Identifier: BSD-3-Clause */
/* NVRTC, NVIDIA's compiler as a library, opened at run time. */
#ifndef DEVICE_CUDA_NVRTC_H
#define DEVICE_CUDA_NVRTC_H

#include "device/backend.h"

/* Opens NVRTC on first use; *reason says why it is missing. */
bool nvrtc_open(const char **reason);
void nvrtc_version(int *major, int *minor); /* 0.0 if it is missing */
/* Returns true if NVRTC makes machine code for a compute capability (90 is 9.0). */
bool nvrtc_knows(int capability);
/* Chooses the target to compile for: "sm_90a" (machine code), or "compute_120" (PTX) for a chip that is
 * newer than the compiler. */
argand_status nvrtc_architecture(int capability, char *architecture, size_t size);
/* Compiles an empty kernel, once in a process. */
void nvrtc_compile_nothing(void);
/* Writes what binaries for that capability depend on: the target and the compiler's version. */
void nvrtc_describe_target(int capability, char *text, size_t size);
/* Compiles a kernel. bytes: a cubin, or NUL-ended PTX for a compute_ architecture, from memory_new. */
argand_status nvrtc_compile(const kernel_source *source, const char *architecture, unsigned char **bytes,
                            size_t *count);
/* The same; also returns the NUL-ended PTX from which machine code is made. ptx may be NULL. */
argand_status nvrtc_compile_both(const kernel_source *source, const char *architecture, unsigned char **bytes,
                                 size_t *count, unsigned char **ptx);

#endif
