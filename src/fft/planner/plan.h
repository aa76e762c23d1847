/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan's inside, for the files that make it and those that answer questions about it. */
#ifndef FFT_PLANNER_PLAN_H
#define FFT_PLANNER_PLAN_H

#include "fft/planner/candidate.h"

struct argand_fft {
    argand_device *device;
    argand_device *compute_device; /* the device, or the host's in its place */
    fft_problem problem;
    const fft_engine *engine;
    void *state;
    /* The inverse of a real plan where that was measured as faster by another one; NULL: the same. */
    const fft_engine *inverse_engine;
    void *inverse_state;
    /* With half_packed the one above has n/2 + 1 points, contiguous, and calls are bound by this one
     * (half.h). */
    bool half_packed;
    fft_problem packed;
    void *half_kernels[2];     /* half_pack, half_unpack */
    fft_candidates candidates; /* all that were considered */
};

static inline const fft_engine *plan_engine(const argand_fft *plan, argand_direction direction)
{
    return direction == ARGAND_INVERSE && plan->inverse_engine ? plan->inverse_engine : plan->engine;
}

static inline void *plan_state(const argand_fft *plan, argand_direction direction)
{
    return direction == ARGAND_INVERSE && plan->inverse_engine ? plan->inverse_state : plan->state;
}

/* choose.c: fills engines, states and candidates of a plan that has problem, device and compute_device. */
argand_status plan_choose(argand_fft *plan);

#endif
