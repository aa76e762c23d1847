/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes a pass from a shape with sizes and stages: layout in shared memory, tables, parameters and
 * key. */
#ifndef FFT_GPU_CODEGEN_PASS_H
#define FFT_GPU_CODEGEN_PASS_H

#include "fft/gpu/codegen/program.h"

/* Appends an empty pass to the list, with tables of its own. */
argand_status pass_begin(pass_program *p, const line_job *job, tile_pass **pass);
/* Adds parameters, tables, padding and key to a pass whose shape has sizes, stages (radix and axis), fast
 * dimensions and layouts. dims: the dimensions of the tile. */
argand_status pass_finish(pass_program *p, tile_pass *pass, const line_job *job, const job_axis dims[3],
                          const int shift[2][3], const block_limits *l);

void tile_set_points_per_thread(tile_shape *s); /* sets the number of points of each thread */
/* Returns the shared memory for a launch, in bytes: more than the pass uses if too many blocks would fit
 * on a multiprocessor. */
size_t pass_shared_bytes(const tile_pass *pass, const block_limits *l);

#endif
