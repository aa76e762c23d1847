/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a plan that has an engine. */
#ifndef FFT_PLAN_RUN_H
#define FFT_PLAN_RUN_H

#include "fft/planner/plan.h"

/* Runs a call that is bound to the plan's problem. */
argand_status plan_run(const argand_fft *plan, const fft_call *call);
/* Binds and runs a call of a plan with accessors. */
argand_status plan_run_access(const argand_fft *plan, argand_array *out, const argand_array *in,
                              argand_direction direction, const argand_fft_access *access);

#endif
