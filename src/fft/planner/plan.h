/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a plan, for the files that make it and those that answer questions about it. */
#ifndef FFT_PLANNER_PLAN_H
#define FFT_PLANNER_PLAN_H

#include "base/memory_guard.h"
#include "fft/planner/candidate.h"
#include "fft/planner/interim.h"

/* The input or the output of a short call. */
typedef struct brief_end {
    argand_type type;
    int64_t first, bytes; /* elements along axis 0; bytes of the whole batch */
} brief_end;

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
    /* [inverse]: prepared short calls, and their input and output (memory.c) */
    fft_brief brief[2];
    brief_end brief_ends[2][2];
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

/* memory.c: prepares short calls of a plan that has its engine and serves contiguous host memory. */
void plan_prepare_brief(argand_fft *plan);
/* Returns true for memory that short calls take: disjoint or, of complex transforms, the same. */
static inline bool plan_takes_brief(const argand_fft *plan, const char *out, const char *in,
                                    argand_direction direction)
{
    const brief_end *ends = plan->brief_ends[direction == ARGAND_INVERSE];
    const int64_t distance = (int64_t)((intptr_t)out - (intptr_t)in);
    if (distance == 0) return ends[0].type == ends[1].type;
    return distance > 0 ? distance >= ends[0].bytes : -distance >= ends[1].bytes;
}

/* Returns the prepared call of a direction, or NULL. */
static inline const fft_brief *plan_brief(const argand_fft *plan, argand_direction direction)
{
    const fft_brief *b = &plan->brief[direction == ARGAND_INVERSE];
    return b->run && !(b->on_stack && memory_guards()) ? b : NULL;
}

/* choose.c: sets engines, states and candidates of a plan that has problem, device and compute_device. */
argand_status plan_choose(argand_fft *plan);

#endif
