/* SPDX-License-Identifier: BSD-3-Clause */
/* Short calls of several axes, or of several blocks of lines: their schedule is made with the plan, and work
 * memory is the stack's. Making a schedule, and the arrays of a call from memory, takes 0.6 us, as long as a
 * transform of 32 x 32 points. */
#ifndef FFT_CPU_PASSES_SHORT_PLANES_H
#define FFT_CPU_PASSES_SHORT_PLANES_H

#include "fft/cpu/passes/schedule.h"

typedef struct short_planes short_planes;

/* Returns true for problems that one thread does, on contiguous arrays. */
bool passes_are_short(const fft_problem *problem);
/* Makes both directions; leaves *planes NULL if the stack is too small for their work memory. memory_free
 * releases it. */
argand_status short_planes_make(short_planes **planes, const passes *s, const fft_problem *problem);
fft_brief short_planes_brief(const short_planes *planes, argand_direction direction);

#endif
