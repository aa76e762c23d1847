/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs bound calls of a plan by the engine that serves it at the moment. */
#include "fft/plan/run.h"

#include "fft/access/access.h"

static argand_status run_by(const fft_serving *by, const argand_fft *plan, const fft_call *call)
{
    fft_geometry contiguous;
    bool as_is = plan->compute_device == plan->device;
    if (by->engine->contiguous) {
        problem_contiguous(&contiguous, &plan->problem, call->direction);
        as_is = as_is && geometry_is(call->geometry, &contiguous);
    }
    return (as_is ? by->engine->apply(by->state, &plan->problem, plan->compute_device, call)
                  : packed_apply(by->engine, by->state, &plan->problem, plan->compute_device, call));
}

/* Returns true if a call that failed has another engine: the first one, which served earlier calls. */
static bool has_first(const argand_fft *plan, const fft_serving *now, argand_status status)
{
    return status != ARGAND_OK && now->state != plan->state && plan->interim &&
           device_is_captured(plan->device);
}

/* A captured call cannot take what its engine makes in its first call. If the engine changed since an earlier
 * call, the first engine, which served that call, has it. */
argand_status plan_run(const argand_fft *plan, const fft_call *call)
{
    if (plan->interim) interim_advance(plan);
    const fft_serving now = plan_serving(plan, call->direction);
    const argand_status status = run_by(&now, plan, call);
    if (!has_first(plan, &now, status)) return status;
    const fft_serving first = {plan->engine, plan->state, plan->candidates.taken};
    return run_by(&first, plan, call);
}

argand_status plan_run_access(const argand_fft *plan, argand_array *out, const argand_array *in,
                              argand_direction direction, const argand_fft_access *access)
{
    const fft_problem *p = &plan->problem;
    access_call bound;
    CHECK(p->access, ARGAND_ARGUMENT, "argand_fft_apply_access: the plan was made without accessors");
    TRY(access_bind(&bound, p, out, in, direction, access));
    if (plan->interim) interim_advance(plan);
    const fft_call call = {.out = out,
                           .in = in,
                           .direction = direction,
                           .factor = access_factor(p, direction),
                           .access = &bound};
    const fft_serving now = plan_serving(plan, direction);
    const argand_status status = now.engine->apply(now.state, p, plan->compute_device, &call);
    if (!has_first(plan, &now, status)) return status;
    return plan->engine->apply(plan->state, p, plan->compute_device, &call);
}
