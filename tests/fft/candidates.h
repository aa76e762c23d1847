/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans by other ways than the planner's choice, so that each of them is tested and not the fastest alone. */
#ifndef TESTS_FFT_CANDIDATES_H
#define TESTS_FFT_CANDIDATES_H

#include "harness.h"
#include "fft/planner/plan.h"

/* Candidate i of the plan's list computes from now on; false where it cannot do the problem. */
static inline bool take_candidate(argand_fft *plan, int i)
{
    const fft_candidate *c = &plan->candidates.list[i];
    void *state;
    if (!c->possible) return false;
    const argand_status status = candidate_create(&state, c, &plan->problem, plan->compute_device);
    if (status == ARGAND_UNSUPPORTED || status == ARGAND_BUILD) return false;
    if (status) fail_msg("%s %s: %s", c->engine->name, c->variant, argand_message());
    plan->engine->destroy(plan->state);
    plan->state = state;
    plan->engine = c->engine;
    plan->candidates.taken = i;
    plan_prepare_brief(plan);
    return true;
}

/* A way that depends on `seed`: often the planner's own. */
static inline void take_some_candidate(argand_fft *plan, uint64_t seed)
{
    if (seed % 2) (void)take_candidate(plan, (int)(seed / 2 % (uint64_t)plan->candidates.count));
}

#endif
