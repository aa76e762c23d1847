/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent passes: passes that go over the data chunk by chunk in one launch. */
#ifndef FFT_GPU_SCHEDULE_PERSISTENT_PASSES_H
#define FFT_GPU_SCHEDULE_PERSISTENT_PASSES_H

#include "fft/gpu/codegen/program.h"

/* What persistent passes' chunks are: `chunk` of the `all` places along span `span` (an axis or a loop),
 * which the axes before `axes` are transformed for in one launch. */
typedef struct chunk_choice {
    int axis, with; /* with: a loop that follows the span and counts as part of it; -1: none */
    int64_t n, with_n;
    int axes;
    int64_t chunk, all;
    job_axis at;    /* the span as the first pass has it */
    int threads;    /* that all passes have */
    bool kept;      /* what the persistent passes leaves in work memory is for later passes, all of it */
    bool tail;      /* a line's last two passes, over chunks of the loop `at`, */
    job_axis outer; /* for each of these; work memory before `base` is not the persistent passes' */
    int64_t base;
} chunk_choice;
/* Chunks for passes that were made without; false: no gain. spans: the problem's axes and loops. */
bool persistent_choose(chunk_choice *w, const pass_program *p, const job_axis *axes, int rank, int all,
                       const block_limits *l);
/* The same for a line that takes two passes: chunks of adjacent lines. */
bool persistent_tail(chunk_choice *w, const pass_program *p, const line_job *job, const block_limits *l);
/* Makes the passes from 0 on, or a tail's, which take one chunk each, the program's persistent. */
argand_status persistent_finish(pass_program *p, const chunk_choice *w, const block_limits *l);

#endif
