/* SPDX-License-Identifier: BSD-3-Clause */
/* From a shape with its sizes and stages to a pass: its order in shared memory, tables, parameters and key.
 */
#ifndef FFT_GPU_CODEGEN_PASS_H
#define FFT_GPU_CODEGEN_PASS_H

#include "fft/gpu/codegen/program.h"

/* An empty pass at the end of the list, with tables of its own. */
argand_status pass_begin(pass_program *p, const line_job *job, tile_pass **pass);
/* Parameters, tables, banks and key of a pass whose shape has its sizes, stages (radix and axis), speeds and
 * kinds. span: the tile's dimensions. */
argand_status pass_finish(pass_program *p, tile_pass *pass, const line_job *job, const job_axis dims[3],
                          const int shift[2][3], const block_limits *l);

void tile_set_points_per_thread(tile_shape *s); /* how many points each thread holds */
/* Shared memory that a pass is launched with: more than it uses where too many blocks would fit. */
size_t pass_shared_bytes(const tile_pass *pass, const block_limits *l);

#endif
