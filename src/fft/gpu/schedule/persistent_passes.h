/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves: passes that go over the data chunk by chunk in one launch. */
#ifndef FFT_GPU_SCHEDULE_PERSISTENT_PASSES_H
#define FFT_GPU_SCHEDULE_PERSISTENT_PASSES_H

#include "fft/gpu/codegen/program.h"

/* What a wave's chunks are: `chunk` of the `all` places along span `span` (an axis or a loop), which the axes
 * before `axes` are transformed for in one launch. */
typedef struct wave_choice {
    int span, with; /* with: a loop that follows the span and counts as part of it; -1: none */
    int64_t n, with_n;
    int axes;
    int64_t chunk, all;
    box_span at;    /* the span as the first pass has it */
    int items;      /* that all passes have */
    bool kept;      /* what the wave leaves in work memory is for later passes, all of it */
    bool tail;      /* a line's last two passes, over chunks of the loop `at`, */
    box_span outer; /* for each of these; work memory before `base` is not the wave's */
    int64_t base;
} wave_choice;
/* Chunks for passes that were made without; false: no gain. spans: the problem's axes and loops. */
bool wave_choose(wave_choice *w, const box_program *p, const box_span *spans, int rank, int all,
                 const box_limits *l);
/* The same for a line that takes two passes: chunks of lines beside each other. */
bool wave_tail(wave_choice *w, const box_program *p, const box_job *job, const box_limits *l);
/* Makes the passes from 0 on, or a tail's, which take one chunk each, the program's wave. */
argand_status wave_finish(box_program *p, const wave_choice *w, const box_limits *l);

#endif
