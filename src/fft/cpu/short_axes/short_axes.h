/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole planes and volumes whose axes have 2 to 16 points, in the nearest cache: one stage for each axis, the
 * slowest first. A stage turns the axes: it puts its results where the fastest axis is, so that after the
 * last stage all are in order. No stage shuffles points of a vector to combine them. */
#ifndef FFT_CPU_SHORT_AXES_SHORT_AXES_H
#define FFT_CPU_SHORT_AXES_SHORT_AXES_H

#include "base/text.h"
#include "fft/problem/problem.h"

typedef struct short_axes short_axes;

enum { SHORT_AXES_WORK = 131072 }; /* bytes of work memory at most: those of 16 x 16 x 16 points */

/* *axes stays NULL where the problem has other axes, is centred or too large, or where the processor has no
 * vectors of pairs. Strides of the problem do not matter here. memory_free releases *axes. */
argand_status short_axes_make(short_axes **axes, const fft_problem *problem);
/* Transforms one plane or volume, contiguous at both ends but for rows of reals, whose stride is `row`. work:
 * SHORT_AXES_WORK bytes on a multiple of 64. In place, out is in. */
void short_axes_run(const short_axes *axes, void *out, const void *in, void *work, int inverse, double factor,
                    int64_t row);
void short_axes_print(const short_axes *axes, text *t);

#endif
