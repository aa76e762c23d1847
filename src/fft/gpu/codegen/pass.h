/* SPDX-License-Identifier: BSD-3-Clause */
/* From a shape with its sizes and stages to a pass: its order in shared memory, tables, parameters and key.
 */
#ifndef FFT_GPU_CODEGEN_PASS_H
#define FFT_GPU_CODEGEN_PASS_H

#include "fft/gpu/codegen/program.h"

/* An empty pass at the end of the list, with tables of its own. */
argand_status pass_begin(box_program *p, const box_job *job, box_pass **pass);
/* Parameters, tables, banks and key of a pass whose shape has its sizes, stages (radix and axis), speeds and
 * kinds. span: the box's dimensions. */
argand_status pass_finish(box_program *p, box_pass *pass, const box_job *job, const box_span span[3],
                          const int shift[2][3], const box_limits *l);

void shape_values(box_shape *s); /* how many points each item holds */
/* Shared memory that a pass is launched with: more than it uses where too many groups would fit. */
size_t pass_shared_bytes(const box_pass *pass, const box_limits *l);

#endif
