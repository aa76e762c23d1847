/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans with half_packed: the plan without it, through half a spectrum of n/2 + 1 elements in temporary
 * memory, and one kernel between that and the packed one. */
#ifndef FFT_PLAN_HALF_H
#define FFT_PLAN_HALF_H

#include "fft/planner/plan.h"

/* Of a plan whose problem has half_packed: that becomes `packed`, and the problem one of n/2 + 1 elements,
 * contiguous in the complex layout; the kernels are built. Nothing for others. */
argand_status half_take(argand_fft *plan);

/* plan.c: a call that is bound to the plan's problem. */
argand_status plan_run(const argand_fft *plan, const fft_call *call);

/* A call of such a plan, bound to `packed`. */
argand_status half_run(const argand_fft *plan, const fft_call *call);

/* Of the half spectrum in temporary memory. */
int64_t half_bytes(const argand_fft *plan);
/* The kernel's pass, behind the others' of a forward transform, before those of an inverse one. */
void half_add_pass(fft_passes *list, const argand_fft *plan, argand_direction direction);

#endif
