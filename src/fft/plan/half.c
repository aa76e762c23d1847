/* SPDX-License-Identifier: BSD-3-Clause */
/* Real transforms with half-packed spectra: runs the plan of n/2 + 1 elements and moves its spectrum
 * between both layouts. */
#include "fft/plan/half.h"

#include <stdio.h>
#include <string.h>
#include "array/layout.h"
#include "fft/plan/run.h"
#include "fft/planner/model.h"

/* ---- inner geometry ---- */

static argand_axis *axis_of(fft_geometry *g, int i)
{
    return i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
}

/* Sets the strides of input or output to those of contiguous half spectra. */
static void lay_half(fft_geometry *g, bool is_output)
{
    int64_t stride = 1;
    for (int i = 0; i < g->rank + g->loops; i++) {
        argand_axis *axis = axis_of(g, i);
        *(is_output ? &axis->out_stride : &axis->in_stride) = stride;
        stride *= i ? axis->n : axis->n / 2 + 1;
    }
}

static const char *key_of(argand_type type, bool pack)
{
    static const char *const keys[2][2] = {
        {"half_unpack REAL=float FOR=packing", "half_pack REAL=float FOR=packing"},
        {"half_unpack REAL=double FOR=packing", "half_pack REAL=double FOR=packing"}};
    return keys[type_is_double(type)][pack];
}

argand_status half_take(argand_fft *plan)
{
    fft_problem *p = &plan->problem;
    if (!p->half_packed) return ARGAND_OK;
    plan->packed = *p;
    plan->half_packed = true;
    p->half_packed = false;
    if (p->axes_given) lay_half(&p->geometry, true); /* in has the reals */
    const char *const keys[2] = {key_of(p->type, true), key_of(p->type, false)};
    TRY(kernels_build(plan->device, keys, 2));
    for (int i = 0; i < 2; i++) TRY(kernel_built(plan->device, keys[i], &plan->half_kernels[i]));
    return ARGAND_OK;
}

static argand_type complex_type(const fft_problem *p)
{
    return type_is_double(p->type) ? ARGAND_C64 : ARGAND_C32;
}

static int64_t half_count(const fft_problem *p)
{
    return p->points / p->n[0] * (p->n[0] / 2 + 1) * p->batch;
}

int64_t half_bytes(const argand_fft *plan)
{
    return half_count(&plan->problem) * (int64_t)argand_type_size(complex_type(&plan->problem));
}

/* ---- the kernel ---- */

/* Sets the strides of one operand, a complex array. */
static void set_operand(struct half_params *p, int operand, const fft_geometry *g, bool is_output,
                        const argand_array *array)
{
    p->at.width[operand] = 2;
    p->at.offset[operand] = 2 * array->offset;
    for (int i = 0; i < p->at.rank; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        p->at.stride[operand][i] = 2 * (is_output ? axis->out_stride : axis->in_stride);
    }
}

/* Runs the kernel between both layouts. in and out of the geometry are the strides of the two arrays, and
 * axis 0 has the length of the reals. kernel: made with key_of, or NULL. */
static argand_status move(const fft_geometry *g, argand_array *out, const argand_array *in, bool pack,
                          void *kernel)
{
    /* arrays of 8 axes have no batch: the loop behind them has length 1 */
    const int dims = g->rank + g->loops;
    struct half_params params = {.at.rank = dims < KERNEL_RANK ? dims : KERNEL_RANK, .axes = g->rank};
    for (int i = 0; i < params.at.rank; i++)
        params.at.n[i] = i == 0 ? g->axes[0].n / 2 : i < g->rank ? g->axes[i].n : g->loop[i - g->rank].n;
    set_operand(&params, 0, g, true, out);
    set_operand(&params, 1, g, false, in);
    params.last = params.at.n[0] * params.at.stride[pack ? 1 : 0][0];
    storage *const memory[2] = {out->storage, in->storage};
    const kernel_run run = {.key = key_of(out->type, pack),
                            .kernel = kernel,
                            .groups = layout_deal(&params.at, out),
                            .memory = memory,
                            .memory_count = 2,
                            .params = &params,
                            .params_bytes = sizeof params};
    return kernel_start(argand_array_device(out), &run);
}

/* ---- calls ---- */

argand_status half_run(const argand_fft *plan, const fft_call *call)
{
    const fft_problem *p = &plan->problem;
    const bool forward = call->direction == ARGAND_FORWARD;
    const int64_t count = half_count(p);
    fft_geometry inside = *call->geometry, outside = *call->geometry;
    fft_call inner = *call;
    /* a plain array object would allocate memory */
    argand_array half = {.type = complex_type(p), .rank = 1, .dims = {count}, .strides = {1}, .count = count};
    TRY(storage_scratch(&half.storage, plan->device, (size_t)half_bytes(plan)));
    lay_half(&inside, forward);
    inner.geometry = &inside;
    lay_half(&outside, !forward);
    argand_status status;
    if (forward) {
        inner.out = &half;
        status = plan_run(plan, &inner);
        if (status == ARGAND_OK) status = move(&outside, call->out, &half, true, plan->half_kernels[0]);
    } else {
        inner.in = &half;
        status = move(&outside, &half, call->in, false, plan->half_kernels[1]);
        if (status == ARGAND_OK) status = plan_run(plan, &inner);
    }
    storage_release(half.storage);
    return status;
}

/* ---- arrays of the caller ---- */

static bool share_memory(const argand_array *a, const argand_array *b, const fft_geometry *g, int64_t out_0,
                         int64_t in_0)
{
    const int64_t size = (int64_t)argand_type_size(a->type);
    int64_t behind;
    extent ea, eb;
    if (!array_distance(&behind, a, b)) return false;
    if (geometry_extent(&ea, g, true, out_0) != ARGAND_OK ||
        geometry_extent(&eb, g, false, in_0) != ARGAND_OK)
        return true;
    return !extents_disjoint(&ea, size, &eb, size, behind);
}

static argand_status check_shapes(const char *who, const argand_array *half, const argand_array *packed,
                                  int rank)
{
    const int64_t m = argand_array_dim(packed, 0);
    CHECK(argand_array_dim(half, 0) == m + 1, ARGAND_ARGUMENT,
          "%s: dimension 0 has %lld and %lld elements; a half spectrum of n reals has n/2 + 1, a packed one "
          "n/2",
          who, (long long)argand_array_dim(half, 0), (long long)m);
    for (int axis = 1; axis < ARGAND_MAX_RANK; axis++)
        CHECK(argand_array_dim(half, axis) == argand_array_dim(packed, axis), ARGAND_ARGUMENT,
              "%s: dimension %d is %lld in one array and %lld in the other", who, axis,
              (long long)argand_array_dim(half, axis), (long long)argand_array_dim(packed, axis));
    CHECK(rank >= 1 && rank <= ARGAND_MAX_RANK, ARGAND_ARGUMENT, "%s: rank %d; 1 to %d can be", who, rank,
          ARGAND_MAX_RANK);
    return ARGAND_OK;
}

static argand_status convert(const char *who, argand_array *out, const argand_array *in, int rank, bool pack)
{
    CHECK(out && in, ARGAND_ARGUMENT, "%s: no %s array", who, out ? "input" : "output");
    CHECK(type_is_complex(out->type) && out->type == in->type, ARGAND_ARGUMENT,
          "%s: %s and %s arrays; both must be complex and of one precision", who, argand_type_name(out->type),
          argand_type_name(in->type));
    CHECK(argand_array_device(out) == argand_array_device(in), ARGAND_ARGUMENT, "%s: arrays on two devices",
          who);
    const argand_array *packed = pack ? out : in;
    TRY(check_shapes(who, pack ? in : out, packed, rank));
    fft_geometry g = {.rank = rank, .loops = ARGAND_MAX_RANK - rank};
    for (int i = 0; i < ARGAND_MAX_RANK; i++)
        *axis_of(&g, i) = (argand_axis){i ? argand_array_dim(packed, i) : 2 * argand_array_dim(packed, 0),
                                        argand_array_stride(in, i), argand_array_stride(out, i)};
    TRY(geometry_check_output(&g, true, argand_array_dim(out, 0)));
    CHECK(!share_memory(out, in, &g, argand_array_dim(out, 0), argand_array_dim(in, 0)), ARGAND_ARGUMENT,
          "%s: output and input share memory", who);
    return move(&g, out, in, pack, NULL);
}

argand_status argand_fft_half_pack(argand_array *out, const argand_array *in, int rank)
{
    return convert(__func__, out, in, rank, true);
}

argand_status argand_fft_half_unpack(argand_array *out, const argand_array *in, int rank)
{
    return convert(__func__, out, in, rank, false);
}

/* ---- predicted passes ---- */

void half_add_pass(fft_passes *list, const argand_fft *plan, argand_direction direction)
{
    const fft_problem *p = &plan->packed;
    const bool forward = direction == ARGAND_FORWARD;
    if (list->count == FFT_MOST_PASSES) return;
    const int64_t bytes = half_bytes(plan), packed = bytes / (p->n[0] / 2 + 1) * (p->n[0] / 2);
    argand_fft_pass *pass = &list->pass[forward ? list->count : 0];
    if (!forward) memmove(pass + 1, pass, (size_t)list->count * sizeof *pass);
    list->count++;
    *pass = (argand_fft_pass){
        .axis = -1, .read_bytes = forward ? bytes : packed, .write_bytes = forward ? packed : bytes};
    snprintf(pass->what, sizeof pass->what, forward ? "packed in place of the reals" : "unpacked");
    fft_model model;
    model_of(&model, plan->device);
    pass->seconds = model_seconds(&model, pass, type_is_double(p->type));
}
