/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the accessors of a pass into kernel text and launch arguments (kernels/fft/tile/chain.krn). */
#ifndef FFT_GPU_CODEGEN_ACCESS_H
#define FFT_GPU_CODEGEN_ACCESS_H

#include "base/text.h"
#include "fft/gpu/codegen/program.h"

/* access_places.c: fills in the coordinates of a pass that has its tile and loops, and removes from its
 * addresses the strides that windows supply. */
void access_places(tile_pass *pass, const line_job *job, const job_axis dims[3]);
/* access_key.c: adds to a key the parameters of a pass with accessors. key_add_kernel adds the kernel's
 * text and returns false if no kernel fits such passes. */
void key_add_access(text *t, const tile_shape *s);
/* Returns true if the array of the load chain may pass through shared memory. */
bool access_has_factors(const tile_shape *s, const block_limits *l);
bool key_add_kernel(text *t, const tile_pass *pass, int count);
/* access_layout assigns the positions of launch arguments. access_arguments fills them in and returns
 * their number. first: see kernels/fft/tile/chain.krn. If c is NULL, all arguments are zeros
 * (placeholders). */
void access_layout(tile_shape *s);
enum { ACCESS_ARGUMENTS_MOST = 66 }; /* together with the other kernel arguments, OpenCL's 1024 bytes */
int access_arguments(INDEX *arguments, const tile_shape *s, const access_call *c, const int64_t first[3],
                     bool is_double);

#endif
