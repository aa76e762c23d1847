/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of lines share. */
#ifndef FFT_GPU_SCHEDULE_LINES_H
#define FFT_GPU_SCHEDULE_LINES_H

#include "fft/gpu/schedule/passes.h"

/* Bytes of neighbours that a strided access should bring at least, and better does. */
enum { SEGMENT_LEAST = 32, SEGMENT_GOOD = 64 };

/* one_pass.c: lines beside each other that a tile should have. */
int lines_beside(const box_limits *l);
/* Whether the axis runs faster through memory than the lines beside each other, on one side. */
bool lines_are_along(const box_job *job, bool out);
/* Whether half of a box's lines are elsewhere in memory; whether pairs of reals go there and back; whether a
 * side has those or half a spectrum. */
bool lines_are_folded(const box_job *job);
bool lines_are_middle(const box_job *job);
bool lines_are_packed(const box_job *job);
/* How many lines a box has. */
int lines_for(const box_job *job, int n, const box_radices *r, const box_limits *l, bool rows,
              fused_kind fused);
argand_status lines_one_pass(box_program *p, const box_job *job, const box_radices *chosen,
                             const box_fused *f, const box_limits *l);

#endif
