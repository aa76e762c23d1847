/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of pass_finish. */
#ifndef FFT_GPU_CODEGEN_FINISH_H
#define FFT_GPU_CODEGEN_FINISH_H

#include "fft/gpu/codegen/pass.h"

/* stages.c: lengths and tables of the stages; which of them items share evenly. */
argand_status stages_make(box_program *p, box_shape *s);
void stages_find_staying(box_shape *s);
/* twiddles.c: turns by the counted loop's number: by arithmetic, else from tables; the tables of a long
 * convolution's part. */
argand_status twiddles_make(box_program *p, box_pass *pass, const box_job *job, const box_limits *l);
argand_status twiddles_chirp(box_program *p, box_pass *pass, const box_job *job, argand_device *device,
                             bool is_double);
/* params.c */
void params_fill(box_pass *pass, const box_job *job, const box_span span[3], const int shift[2][3]);
void params_near_strides(box_pass *pass, const box_limits *l);

#endif
