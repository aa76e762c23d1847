/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans with half_packed. They run the plan without it, on a half spectrum of n/2 + 1 elements in
 * temporary memory. One kernel converts between this and the packed spectrum. */
#ifndef FFT_PLAN_HALF_H
#define FFT_PLAN_HALF_H

#include "fft/planner/plan.h"

/* Turns a plan with half_packed into one of n/2 + 1 elements, contiguous in its complex array. Keeps the
 * given problem as `packed`, and builds the kernels. Leaves other plans alone. */
argand_status half_take(argand_fft *plan);

/* Runs a call of such a plan, bound to `packed`. */
argand_status half_run(const argand_fft *plan, const fft_call *call);

/* Returns the bytes of the half spectrum in temporary memory. */
int64_t half_bytes(const argand_fft *plan);
/* Adds the kernel's pass: last in a forward transform, first in an inverse one. */
void half_add_pass(fft_passes *list, const argand_fft *plan, argand_direction direction);

#endif
