/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of lines share. */
#ifndef FFT_GPU_SCHEDULE_LINES_H
#define FFT_GPU_SCHEDULE_LINES_H

#include "fft/gpu/schedule/passes.h"

/* Bytes of neighbours that a strided access should bring at least, and better does. */
enum { SEGMENT_LEAST = 32, SEGMENT_GOOD = 64 };

/* one_pass.c: adjacent lines that a tile should have. */
int lines_in_segment(const block_limits *l);
/* Whether the axis runs faster through memory than the adjacent lines, in one layout. */
bool lines_are_along(const line_job *job, bool out);
/* Whether half of a tile's lines are elsewhere in memory; whether pairs of reals go forward and inverse;
 * whether a layout has those or half a spectrum. */
bool lines_are_folded(const line_job *job);
bool lines_are_round_trip(const line_job *job);
bool lines_are_packed(const line_job *job);
/* How many lines a tile has. */
int lines_for(const line_job *job, int n, const radix_list *r, const block_limits *l, bool rows,
              convolution_kind fused);
argand_status lines_one_pass(pass_program *p, const line_job *job, const radix_list *chosen,
                             const line_convolution *f, const block_limits *l);

/* columns.c: how many lines and threads tiles have of columns that go forward and back in one pass. */
void columns_fit(block_limits *own, const line_job *job);

#endif
