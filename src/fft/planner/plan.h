/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a plan, for the files that make it and those that answer questions about it. */
#ifndef FFT_PLANNER_PLAN_H
#define FFT_PLANNER_PLAN_H

#include "fft/planner/candidate.h"
#include "fft/planner/interim.h"

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
    /* The engine above serves only until another candidate's kernels are compiled (interim.h); NULL: for
     * good. */
    fft_interim *interim;
};

/* What serves a direction of a plan at present. */
typedef struct fft_serving {
    const fft_engine *engine;
    void *state;
    int candidate;
} fft_serving;

static inline fft_serving plan_serving(const argand_fft *plan, argand_direction direction)
{
    const fft_candidates *all = &plan->candidates;
    void *own = plan->interim ? atomic_load_explicit(&plan->interim->state, memory_order_acquire) : NULL;
    if (own) return (fft_serving){all->list[plan->interim->own].engine, own, plan->interim->own};
    if (direction == ARGAND_INVERSE && plan->inverse_engine)
        return (fft_serving){plan->inverse_engine, plan->inverse_state, all->taken_inverse};
    return (fft_serving){plan->engine, plan->state, all->taken};
}

/* choose.c: sets engines, states and candidates of a plan that has problem, device and compute_device. */
argand_status plan_choose(argand_fft *plan);

#endif
