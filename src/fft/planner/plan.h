/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a plan, for the files that make it and those that answer questions about it. */
#ifndef FFT_PLANNER_PLAN_H
#define FFT_PLANNER_PLAN_H

#include "fft/planner/candidate.h"

struct argand_fft {
    argand_device *device;
    argand_device *compute_device; /* the plan's device, or the host instead */
    fft_problem problem;
    const fft_engine *engine;
    void *state;
    /* another engine for the inverse of a real plan, if it was measured as faster; NULL: the same engine */
    const fft_engine *inverse_engine;
    void *inverse_state;
    /* With half_packed, `problem` has n/2 + 1 points, contiguous, and calls are bound to `packed`
     * (half.h). */
    bool half_packed;
    fft_problem packed;
    void *half_kernels[2];     /* half_pack, half_unpack */
    fft_candidates candidates; /* all candidates that were considered */
};

static inline const fft_engine *plan_engine(const argand_fft *plan, argand_direction direction)
{
    return direction == ARGAND_INVERSE && plan->inverse_engine ? plan->inverse_engine : plan->engine;
}

static inline void *plan_state(const argand_fft *plan, argand_direction direction)
{
    return direction == ARGAND_INVERSE && plan->inverse_engine ? plan->inverse_state : plan->state;
}

/* choose.c: sets engines, states and candidates of a plan that has problem, device and compute_device. */
argand_status plan_choose(argand_fft *plan);

#endif
