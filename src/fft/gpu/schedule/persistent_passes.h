/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans persistent passes, which process the data chunk by chunk in one launch. */
#ifndef FFT_GPU_SCHEDULE_PERSISTENT_PASSES_H
#define FFT_GPU_SCHEDULE_PERSISTENT_PASSES_H

#include "fft/gpu/codegen/program.h"

/* How persistent passes divide the data. A chunk has `chunk` of the `all` positions along `axis` (an axis
 * or a loop); the axes before `axes` are transformed for each chunk, in one launch. */
typedef struct chunk_choice {
    int axis, with; /* with: a loop that continues the axis and is divided with it; -1: none */
    int64_t n, with_n;
    int axes;
    int64_t chunk, all;
    job_axis at; /* the divided axis, with the strides of the first pass */
    int threads; /* of every pass */
    bool kept;   /* all results of the persistent passes stay in work memory for later passes */
    /* persistent passes are the last two of a long line, over chunks of the loop `at` */
    bool tail;
    job_axis outer; /* loop around these chunks; work memory before `base` belongs to other passes */
    int64_t base;
} chunk_choice;
/* Chooses the chunks for passes that were planned without; returns false if chunks gain nothing. axes: the
 * problem's axes and loops. */
bool persistent_choose(chunk_choice *w, const pass_program *p, const job_axis *axes, int rank, int all,
                       const block_limits *l);
/* Chooses chunks of adjacent lines for a line that takes two passes. */
bool persistent_tail(chunk_choice *w, const pass_program *p, const line_job *job, const block_limits *l);
/* Turns the passes from 0 on, or those of a tail, each planned for one chunk, into the program's
 * persistent passes. */
argand_status persistent_finish(pass_program *p, const chunk_choice *w, const block_limits *l);

#endif
