/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors of a pass for its kernel (kernels/fft/tile/chain.krn). */
#ifndef FFT_GPU_CODEGEN_ACCESS_H
#define FFT_GPU_CODEGEN_ACCESS_H

#include "base/text.h"
#include "fft/gpu/codegen/program.h"

/* access_places.c: coordinates, and what addresses leave to windows, of a pass that has its tile and
 * loops. */
void access_places(tile_pass *pass, const line_job *job, const job_axis dims[3]);
/* access_key.c: what a pass with accessors is compiled for, added to its key; and its kernel, which has
 * such passes (false: it has not). */
void key_add_access(text *t, const tile_shape *s);
/* Whether the chain at load is an array that may come through shared memory. */
bool access_has_factors(const tile_shape *s, const block_limits *l);
bool key_add_kernel(text *t, const tile_pass *pass, int count);
/* Where the arguments of a launch stand; and those of one: how many. first: see kernels/fft/tile/chain.krn.
 * c: NULL for stand-ins, zeros. */
void access_layout(tile_shape *s);
enum { ACCESS_ARGUMENTS_MOST = 66 }; /* with the rest of what a kernel is given, OpenCL's 1024 bytes */
int access_arguments(INDEX *arguments, const tile_shape *s, const access_call *c, const int64_t first[3],
                     bool is_double);

#endif
