/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of planes and volumes that are done one by one, each whole (short_axes.h), in place of a pass along
 * each axis of all of them: a pass takes 20 to 50 ns besides its lines, 8 x 8 points take 20. */
#ifndef FFT_CPU_PASSES_WHOLE_PLANES_H
#define FFT_CPU_PASSES_WHOLE_PLANES_H

#include "fft/cpu/passes/schedule.h"

typedef struct whole_planes whole_planes;

/* Leaves *planes NULL where planes cannot be done so. whole_planes_free releases them. */
argand_status whole_planes_make(whole_planes **planes, const fft_problem *problem);
void whole_planes_free(whole_planes *planes); /* NULL is allowed */
/* Returns true if each plane of the call is contiguous at both ends, but for rows of reals: *row receives the
 * reals from the start of one to that of the next. planes may be NULL. */
bool whole_planes_serve(const whole_planes *planes, const fft_call *call, int64_t *row);
void whole_planes_apply(const whole_planes *planes, const fft_call *call, int64_t row, int threads);
/* Prepares calls of contiguous memory. */
fft_brief whole_planes_brief(const whole_planes *planes, argand_direction direction);
void whole_planes_print(const whole_planes *planes, text *t);

#endif
