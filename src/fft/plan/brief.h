/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of calls of contiguous memory. */
#ifndef FFT_PLAN_BRIEF_H
#define FFT_PLAN_BRIEF_H

#include "fft/access/access.h"
#include "fft/planner/plan.h"

/* One end of a call. The reals are the input of forward and the output of inverse transforms. */
typedef struct plan_end {
    argand_type type;
    int64_t first;                     /* elements along axis 0 */
    bool out_strides;                  /* uses the output strides of given axes */
    const access_array_layout *layout; /* of plans with accessors, or NULL */
} plan_end;

/* Returns the problem as it was given, with its half-packed spectrum. */
const fft_problem *plan_given(const argand_fft *plan);
plan_end plan_end_of(const argand_fft *plan, bool is_out, argand_direction direction);

#endif
