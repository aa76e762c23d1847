/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies plans to addresses. A short transform takes as long as making the two arrays that it would need. */
#include "fft/planner/plan.h"

#include "array/array.h"
#include "device/device.h"
#include "device/range.h"
#include "fft/access/access.h"

/* One end of a call. The reals are the input of forward and the output of inverse transforms. */
typedef struct memory_end {
    argand_type type;
    int64_t first;                     /* elements along axis 0 */
    bool out_strides;                  /* uses the output strides of given axes */
    const access_array_layout *layout; /* of plans with accessors, or NULL */
} memory_end;

static const fft_problem *problem_of(const argand_fft *plan)
{
    return plan->half_packed ? &plan->packed : &plan->problem;
}

static memory_end end_of(const argand_fft *plan, bool is_out, argand_direction direction)
{
    const fft_problem *p = problem_of(plan);
    const bool real = problem_is_real(p), reals = real && is_out == (direction == ARGAND_INVERSE);
    const argand_type complex_type = type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
    memory_end e = {.type = reals ? p->type : complex_type,
                    .first = real && !reals ? problem_half(p) : p->n[0],
                    .out_strides = real ? !reals : is_out};
    if (!p->access) return e;
    e.layout = e.out_strides ? &p->access->out : &p->access->in;
    e.type = e.layout->type;
    return e;
}

/* Memory in which a plan's own strides count: as many elements as they reach */
static argand_status wrap_strided(argand_array **array, const argand_fft *plan, const memory_end *end,
                                  const char *name, void *memory)
{
    extent e;
    TRY(geometry_extent(&e, &plan->problem.geometry, end->out_strides, end->first));
    CHECK(
        e.low >= 0, ARGAND_ARGUMENT,
        "argand_fft_apply_memory: the plan's strides reach %lld elements before the %s; use argand_fft_apply",
        (long long)-e.low, name);
    const int64_t count = e.high + 1;
    return argand_array_wrap(array, plan->device, end->type, 1, &count, NULL, memory);
}

static argand_status wrap(argand_array **array, const argand_fft *plan, bool is_out,
                          argand_direction direction, void *memory)
{
    const fft_problem *p = problem_of(plan);
    const memory_end end = end_of(plan, is_out, direction);
    if (p->axes_given) return wrap_strided(array, plan, &end, is_out ? "output" : "input", memory);
    const int64_t batch = is_out && p->access && p->access->sum ? 1 : p->batch;
    int64_t dims[ARGAND_MAX_RANK + 1];
    int rank = 0;
    for (int axis = 0; axis < p->rank; axis++)
        dims[rank++] = end.layout ? end.layout->window[axis].count : axis ? p->n[axis] : end.first;
    if (rank < ARGAND_MAX_RANK)
        dims[rank++] = batch;
    else
        dims[rank - 1] *= batch;
    return argand_array_wrap(array, plan->device, end.type, rank, dims, NULL, memory);
}

/* A contiguous end */
static brief_end brief_end_of(const argand_fft *plan, bool is_out, argand_direction direction)
{
    const fft_problem *p = &plan->problem;
    const memory_end end = end_of(plan, is_out, direction);
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

/* Runs a short transform of contiguous memory; returns false, and does nothing, for any other call. */
static bool run_brief(const argand_fft *plan, void *out, const void *in, argand_direction direction)
{
    const fft_brief *b = plan_brief(plan, direction);
    if (!b || !plan_takes_brief(plan, out, in, direction)) return false;
    b->run(b->state, out, in, NULL, b->inverse, b->factor);
    return true;
}

argand_status argand_fft_apply_memory(const argand_fft *plan, void *out, const void *in,
                                      argand_direction direction)
{
    argand_array *to = NULL, *from = NULL;
    CHECK(plan, ARGAND_ARGUMENT, "argand_fft_apply_memory: no plan");
    CHECK(direction == ARGAND_FORWARD || direction == ARGAND_INVERSE, ARGAND_ARGUMENT,
          "argand_fft_apply_memory: direction %d; give ARGAND_FORWARD or ARGAND_INVERSE", (int)direction);
    CHECK(out && in, ARGAND_ARGUMENT, "argand_fft_apply_memory: no %s", out ? "input" : "output");
    CHECK(!plan->problem.access ||
              (!plan->problem.access->in.imaginary && !plan->problem.access->out.imaginary),
          ARGAND_ARGUMENT,
          "argand_fft_apply_memory: real and imaginary parts lie apart; use argand_fft_apply");
    if (run_brief(plan, out, in, direction)) return ARGAND_OK;
    argand_status status = wrap(&to, plan, true, direction, out);
    if (status == ARGAND_OK) status = wrap(&from, plan, false, direction, (void *)(uintptr_t)in);
    if (status == ARGAND_OK) status = argand_fft_apply(plan, to, from, direction);
    argand_array_destroy(from);
    argand_array_destroy(to);
    return status;
}
