/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies plans to addresses, through arrays of that memory unless the transform is short (brief.c). */
#include "fft/plan/brief.h"

#include "array/array.h"

/* Memory in which a plan's own strides count: as many elements as they reach */
static argand_status wrap_strided(argand_array **array, const argand_fft *plan, const plan_end *end,
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

/* Returns true for a real transform in place whose rows, as in FFTW, are padded to hold the half spectrum. */
static bool pads_rows(const argand_fft *plan, const void *out, const void *in)
{
    const fft_problem *p = plan_given(plan);
    return out == in && problem_is_real(p) && !plan->half_packed && !p->access && !p->axes_given;
}

static argand_status wrap(argand_array **array, const argand_fft *plan, bool is_out,
                          argand_direction direction, void *memory, bool padded)
{
    const fft_problem *p = plan_given(plan);
    const plan_end end = plan_end_of(plan, is_out, direction);
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
    int64_t strides[ARGAND_MAX_RANK] = {1};
    const bool is_real = end.type == ARGAND_R32 || end.type == ARGAND_R64;
    for (int axis = 1; axis < rank; axis++)
        strides[axis] =
            axis == 1 && is_real && padded ? 2 * (dims[0] / 2 + 1) : strides[axis - 1] * dims[axis - 1];
    return argand_array_wrap(array, plan->device, end.type, rank, dims, strides, memory);
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
    const bool padded = pads_rows(plan, out, in);
    argand_status status = wrap(&to, plan, true, direction, out, padded);
    if (status == ARGAND_OK) status = wrap(&from, plan, false, direction, (void *)(uintptr_t)in, padded);
    if (status == ARGAND_OK) status = argand_fft_apply(plan, to, from, direction);
    argand_array_destroy(from);
    argand_array_destroy(to);
    return status;
}
