/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of type 3 made, applied, described and destroyed: see type3.h. */
#include "nufft/type3.h"

#include <stdio.h>
#include "array/array.h"
#include "base/given.h"
#include "base/memory.h"
#include "base/plain.h"
#include "device/device.h"
#include "device/range.h"

static argand_status check_options(const argand_nufft3_options *o)
{
    CHECK(o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "nufft3: type %d: give ARGAND_C32 or ARGAND_C64", (int)o->type);
    CHECK(o->rank >= 1 && o->rank <= 3, ARGAND_ARGUMENT, "nufft3: rank %d: give 1, 2 or 3", o->rank);
    CHECK(o->tolerance >= 0 && o->tolerance <= 1, ARGAND_ARGUMENT,
          "nufft3: tolerance %g: give a relative error up to 1, or 0 for the default", o->tolerance);
    CHECK(o->oversampling == 0 || (o->oversampling > 1 && o->oversampling <= 16), ARGAND_ARGUMENT,
          "nufft3: oversampling %g: give more than 1 and at most 16, or 0 to have it chosen",
          o->oversampling);
    CHECK(o->sign >= -1 && o->sign <= 1, ARGAND_ARGUMENT, "nufft3: sign %d: give -1 or 1, or 0 for -1",
          o->sign);
    CHECK(o->units == ARGAND_NUFFT_CYCLES || o->units == ARGAND_NUFFT_RADIANS, ARGAND_ARGUMENT,
          "nufft3: units %d: give ARGAND_NUFFT_CYCLES or ARGAND_NUFFT_RADIANS", (int)o->units);
    return ARGAND_OK;
}

argand_status argand_nufft3_create(argand_nufft3 **plan, argand_device *device,
                                   const argand_nufft3_options *options)
{
    if (plan) *plan = NULL;
    TRY(check_given("nufft3", plan, device, options));
    TRY(check_options(options));
    argand_nufft3 *made;
    TRY(NEW(made, 1));
    made->options = *options;
    if (options->tolerance == 0) made->options.tolerance = options->type == ARGAND_C64 ? 1e-9 : 1e-5;
    if (options->sign == 0) made->options.sign = -1;
    made->device = device_keep(device);
    *plan = made;
    return ARGAND_OK;
}

argand_status argand_nufft3_set_points(argand_nufft3 *plan, argand_array *const sources[],
                                       argand_array *const targets[])
{
    point_pair *pair;
    CHECK(plan, ARGAND_ARGUMENT, "nufft3: no plan given");
    TRY(pair_create(&pair, plan, sources, targets));
    pair_destroy(plan->pair);
    plan->pair = pair;
    return ARGAND_OK;
}

/* ---- applying ---- */

static argand_status check_array(const argand_nufft3 *plan, const argand_array *array, const char *name,
                                 int64_t wanted, const char *of)
{
    CHECK(array, ARGAND_ARGUMENT, "nufft3: no %s given", name);
    CHECK(argand_array_device(array) == plan->device, ARGAND_ARGUMENT,
          "nufft3: %s are on another device than the plan", name);
    CHECK(argand_array_type(array) == plan->options.type, ARGAND_ARGUMENT,
          "nufft3: %s: %s given, the plan is for %s", name, argand_type_name(argand_array_type(array)),
          argand_type_name(plan->options.type));
    CHECK(argand_array_dim(array, 0) == wanted, ARGAND_ARGUMENT, "nufft3: %lld %s for %lld %s",
          (long long)argand_array_dim(array, 0), name, (long long)wanted, of);
    CHECK(argand_array_rank(array) <= 2 || argand_array_is_contiguous(array), ARGAND_ARGUMENT,
          "nufft3: %s have %d dimensions and gaps: copy them", name, argand_array_rank(array));
    return ARGAND_OK;
}

static argand_status check_arrays(const argand_nufft3 *plan, const argand_array *samples,
                                  const argand_array *strengths)
{
    CHECK(plan, ARGAND_ARGUMENT, "nufft3: no plan given");
    CHECK(plan->pair, ARGAND_ARGUMENT, "nufft3: the plan has no points: call argand_nufft3_set_points first");
    const point_pair *p = plan->pair;
    TRY(check_array(plan, samples, "samples", p->targets, "targets"));
    TRY(check_array(plan, strengths, "strengths", p->sources, "sources"));
    CHECK(argand_array_count(samples) / p->targets == argand_array_count(strengths) / p->sources,
          ARGAND_ARGUMENT, "nufft3: %lld vectors of samples but %lld of strengths",
          (long long)(argand_array_count(samples) / p->targets),
          (long long)(argand_array_count(strengths) / p->sources));
    return ARGAND_OK;
}

/* Vectors first to first + count - 1 as {points, count} */
static argand_status vectors_of(argand_array **view, const argand_array *array, int64_t first, int64_t count)
{
    const int64_t length = argand_array_dim(array, 0);
    const int rank = argand_array_rank(array);
    const int64_t vector = rank > 2 ? length : rank > 1 ? argand_array_stride(array, 1) : 0;
    return argand_array_view(view, array, 2, (int64_t[]){length, count},
                             (int64_t[]){argand_array_stride(array, 0), vector}, first * vector);
}

/* y = the factors of each point, or their conjugates, times x */
static argand_status multiply_points(argand_array *y, const argand_array *factors, const argand_array *x,
                                     int flags)
{
    argand_array *repeated;
    TRY(argand_array_view(&repeated, factors, 2, (int64_t[]){argand_array_dim(x, 0), argand_array_dim(x, 1)},
                          (int64_t[]){1, 0}, 0));
    const argand_status status = argand_array_multiply(y, repeated, x, flags);
    argand_array_destroy(repeated);
    return status;
}

/* Memory for a group of vectors: of the grid between both plans, and of the samples */
typedef struct group_arrays {
    argand_array *grid, *points;
} group_arrays;

static argand_status take_arrays(group_arrays *arrays, const argand_nufft3 *plan, int64_t count,
                                 int64_t vectors)
{
    const layout *l = plan->pair->spread->layout;
    int64_t dims[4] = {l->grid[0], l->grid[1], l->grid[2]};
    dims[l->rank] = vectors;
    TRY(array_scratch(&arrays->grid, plan->device, plan->options.type, l->rank + 1, dims));
    if (!count) return ARGAND_OK;
    return array_scratch(&arrays->points, plan->device, plan->options.type, 2, (int64_t[]){count, vectors});
}

static argand_status forward(const argand_nufft3 *plan, const group_arrays *arrays, argand_array *samples,
                             const argand_array *strengths)
{
    const point_pair *p = plan->pair;
    if (p->before) TRY(multiply_points(arrays->points, p->before, strengths, ARGAND_PRODUCT));
    TRY(argand_nufft_spread(p->spread, arrays->grid, p->before ? arrays->points : strengths));
    TRY(argand_nufft_apply(p->transform, samples, arrays->grid));
    return multiply_points(samples, p->after, samples, ARGAND_PRODUCT);
}

static argand_status backward(const argand_nufft3 *plan, const group_arrays *arrays, argand_array *strengths,
                              const argand_array *samples)
{
    const point_pair *p = plan->pair;
    TRY(multiply_points(arrays->points, p->after, samples, ARGAND_PRODUCT_CONJ));
    TRY(argand_nufft_adjoint(p->transform, arrays->grid, arrays->points));
    TRY(argand_nufft_interpolate(p->spread, strengths, arrays->grid));
    if (!p->before) return ARGAND_OK;
    return multiply_points(strengths, p->before, strengths, ARGAND_PRODUCT_CONJ);
}

/* Transforms a group of vectors, as many as both plans take at once */
static argand_status run_group(const argand_nufft3 *plan, argand_array *out, const argand_array *in,
                               int64_t first, int64_t count, bool adjoint)
{
    const point_pair *p = plan->pair;
    group_arrays arrays = {NULL};
    argand_array *to = NULL, *from = NULL;
    argand_status status;
    TRY_OR_DONE(take_arrays(&arrays, plan, adjoint ? p->targets : p->before ? p->sources : 0, count));
    TRY_OR_DONE(vectors_of(&to, out, first, count));
    TRY_OR_DONE(vectors_of(&from, in, first, count));
    status = adjoint ? backward(plan, &arrays, to, from) : forward(plan, &arrays, to, from);
done:
    argand_array_destroy(from);
    argand_array_destroy(to);
    argand_array_destroy(arrays.points);
    argand_array_destroy(arrays.grid);
    return status;
}

static argand_status run(const argand_nufft3 *plan, argand_array *out, const argand_array *in, bool adjoint)
{
    TRY(adjoint ? check_arrays(plan, in, out) : check_arrays(plan, out, in));
    const int64_t vectors = argand_array_count(in) / argand_array_dim(in, 0),
                  most = plan->pair->spread->layout->many;
    for (int64_t first = 0; first < vectors; first += most)
        TRY(run_group(plan, out, in, first, vectors - first < most ? vectors - first : most, adjoint));
    return ARGAND_OK;
}

argand_status argand_nufft3_apply(const argand_nufft3 *plan, argand_array *samples,
                                  const argand_array *strengths)
{
    range_push("argand nufft type 3");
    return range_end(run(plan, samples, strengths, false));
}

argand_status argand_nufft3_adjoint(const argand_nufft3 *plan, argand_array *strengths,
                                    const argand_array *samples)
{
    range_push("argand nufft type 3 adjoint");
    return range_end(run(plan, strengths, samples, true));
}

/* ---- describing ---- */

void argand_nufft3_describe(const argand_nufft3 *plan, argand_nufft3_info *info)
{
    if (info) *info = (argand_nufft3_info){0};
    if (!plan || !info) return;
    *info = (argand_nufft3_info){
        .tolerance = plan->options.tolerance, .type = plan->options.type, .rank = plan->options.rank};
    const point_pair *p = plan->pair;
    if (!p) return;
    argand_nufft_info first, second;
    argand_nufft_describe(p->spread, &first);
    argand_nufft_describe(p->transform, &second);
    info->expected_error = first.expected_error + second.expected_error + p->rounding;
    info->width = first.width;
    for (int axis = 0; axis < 3; axis++) info->grid[axis] = first.grid[axis];
    info->bytes = sizeof *plan + first.bytes + second.bytes +
                  argand_type_size(info->type) * (size_t)(p->targets + (p->before ? p->sources : 0));
    info->sources = p->sources;
    info->targets = p->targets;
}

void argand_nufft3_print(const argand_nufft3 *plan, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!plan || !text) return;
    char first[256] = "", second[256] = "";
    if (plan->pair) {
        argand_nufft_print(plan->pair->spread, first, sizeof first);
        argand_nufft_print(plan->pair->transform, second, sizeof second);
    }
    plain_print(text, size, "(nufft3 %s rank %d tolerance %.3g sources %lld targets %lld%s%s%s%s)",
                plan->options.type == ARGAND_C64 ? "c64" : "c32", plan->options.rank, plan->options.tolerance,
                plan->pair ? (long long)plan->pair->sources : 0,
                plan->pair ? (long long)plan->pair->targets : 0, *first ? " " : "", first, *second ? " " : "",
                second);
}

void argand_nufft3_destroy(argand_nufft3 *plan)
{
    if (!plan) return;
    pair_destroy(plan->pair);
    argand_device_close(plan->device);
    memory_free(plan);
}
