/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares calls of short transforms, which take no longer than making the two arrays that they would
 * need. */
#include "fft/plan/brief.h"

#include "device/device.h"
#include "device/range.h"

const fft_problem *plan_given(const argand_fft *plan)
{
    return plan->half_packed ? &plan->packed : &plan->problem;
}

plan_end plan_end_of(const argand_fft *plan, bool is_out, argand_direction direction)
{
    const fft_problem *p = plan_given(plan);
    const bool real = problem_is_real(p), reals = real && is_out == (direction == ARGAND_INVERSE);
    const argand_type complex_type = type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
    plan_end e = {.type = reals ? p->type : complex_type,
                  .first = real && !reals ? problem_half(p) : p->n[0],
                  .out_strides = real ? !reals : is_out};
    if (!p->access) return e;
    e.layout = e.out_strides ? &p->access->out : &p->access->in;
    e.type = e.layout->type;
    return e;
}

/* A contiguous end */
static brief_end brief_end_of(const argand_fft *plan, bool is_out, argand_direction direction)
{
    const fft_problem *p = &plan->problem;
    const plan_end end = plan_end_of(plan, is_out, direction);
    const int64_t elements = p->points / p->n[0] * end.first * p->batch;
    return (brief_end){end.type, end.first, elements * (int64_t)argand_type_size(end.type)};
}

void plan_prepare_brief(argand_fft *plan)
{
    const argand_direction directions[2] = {ARGAND_FORWARD, ARGAND_INVERSE};
    plan->brief[0].run = plan->brief[1].run = NULL;
    if (plan->half_packed || plan->interim || plan->problem.access || plan->problem.axes_given ||
        plan->compute_device != plan->device || !device_is_host(plan->device) || range_is_recorded())
        return;
    for (int i = 0; i < 2; i++) {
        const fft_serving by = plan_serving(plan, directions[i]);
        if (by.engine->brief) plan->brief[i] = by.engine->brief(by.state, directions[i]);
        for (int is_out = 0; is_out < 2; is_out++)
            plan->brief_ends[i][is_out] = brief_end_of(plan, is_out, directions[i]);
    }
}
