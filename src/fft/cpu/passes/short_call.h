/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of one axis whose lines are one block. A transform of 16 points takes 20 ns: what does not depend on
 * the arrays of a call is made ready with the plan, and work memory is the stack's. */
#ifndef FFT_CPU_PASSES_SHORT_CALL_H
#define FFT_CPU_PASSES_SHORT_CALL_H

#include "fft/cpu/line/line.h"
#include "fft/engine/engine.h"

typedef struct short_call {
    const fft_line *line; /* NULL: there are none */
    const line_use *use;
    size_t bytes;    /* of work memory */
    line_job job[2]; /* forward and inverse, on contiguous arrays, without their addresses */
} short_call;

void short_call_make(short_call *c, const fft_problem *p, const fft_line *line);
/* Prepares a direction: the algorithm's function for one line, or the job. */
fft_brief short_call_brief(const short_call *c, argand_direction direction);

/* Runs one block with `bytes` of work memory. Returns false, and does nothing, if these are too many for
 * the stack. */
bool short_call_line(const fft_line *line, const line_use *use, const line_job *job, size_t bytes);

#endif
