/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the passes of a problem. */
#ifndef FFT_GPU_SCHEDULE_PROGRAM_H
#define FFT_GPU_SCHEDULE_PROGRAM_H

#include "fft/engine/engine.h"
#include "fft/gpu/codegen/program.h"

/* dry: plans the passes and leaves their tables empty. */
argand_status program_make(pass_program *p, const fft_problem *problem, const fft_geometry *g,
                           argand_direction direction, const block_limits *l, bool dry);
/* facts.c: describes the passes for the planner. */
void program_passes(const pass_program *p, const block_limits *l, fft_passes *list);
/* Estimates the time of the passes, in bytes that could be moved meanwhile. */
double program_cost(const pass_program *p, const block_limits *l);

#endif
