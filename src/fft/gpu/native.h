/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the engine of the native kernels, the engine with accessors, and tests. */
#ifndef FFT_GPU_NATIVE_H
#define FFT_GPU_NATIVE_H

#include "fft/engine/engine.h"
#include "fft/gpu/codegen/program.h"

/* engine.c, for the engine with accessors: lists the variants that can make a difference, that of ESTIMATE
 * first. */
int native_list_variants(const fft_problem *p, argand_device *device, char (*names)[FFT_VARIANT_CHARS],
                         int most);
/* variants.c, for tests as well */
argand_status variant_upload_tables(storage **to, const pass_program *p, const block_limits *l,
                                    argand_device *device);
/* parts.c */
int geometry_longest_loop(const fft_geometry *g); /* -1: none */
int64_t program_at_a_time(const fft_geometry *g, const pass_program *p, const block_limits *l);
int64_t program_workspace(const fft_geometry *g, const pass_program *p, const block_limits *l);

#endif
