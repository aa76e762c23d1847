/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of pass_finish. */
#ifndef FFT_GPU_CODEGEN_FINISH_H
#define FFT_GPU_CODEGEN_FINISH_H

#include "fft/gpu/codegen/pass.h"

/* stages.c: sets lengths and twiddle tables of the stages, and finds the stages whose points stay in
 * registers. */
argand_status stages_make(pass_program *p, tile_shape *s);
void stages_find_staying(tile_shape *s);
/* twiddles.c: prepares the inter-pass twiddle factors by the counted loop's index, computed or from
 * tables; twiddles_chirp makes the tables of a long convolution's pass. */
argand_status twiddles_make(pass_program *p, tile_pass *pass, const line_job *job, const block_limits *l);
argand_status twiddles_chirp(pass_program *p, tile_pass *pass, const line_job *job, argand_device *device,
                             bool is_double);
/* params.c */
void params_fill(tile_pass *pass, const line_job *job, const job_axis dims[3], const int shift[2][3]);
void params_near_strides(tile_pass *pass, const block_limits *l);

#endif
