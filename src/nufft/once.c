/* SPDX-License-Identifier: BSD-3-Clause */
/* Types 1 and 2 in one call: a plan that such a call used before, or a new one, its points, the transform. */
#include "nufft/once.h"

#include "base/observe.h"
#include "nufft/plan_cache.h"

argand_status once_check(const char *name, argand_device *device, const void *options, const void *out,
                         const void *in, int64_t vectors)
{
    CHECK(device && options && out && in, ARGAND_ARGUMENT, "%s: no %s given", name,
          !device    ? "device"
          : !options ? "options"
          : !out     ? "output"
                     : "input");
    CHECK(device_is_host(device), ARGAND_UNSUPPORTED,
          "%s: calls without a plan are for the cpu device: make a plan for this one", name);
    CHECK(vectors >= 1, ARGAND_ARGUMENT, "%s: %lld vectors: give 1 or more", name, (long long)vectors);
    return ARGAND_OK;
}

argand_status once_wrap_points(argand_array *k[3], argand_device *device, const char *name, const char *what,
                               const argand_nufft_points *given, int rank)
{
    CHECK(given, ARGAND_ARGUMENT, "%s: no %ss given", name, what);
    CHECK(given->count >= 1, ARGAND_ARGUMENT, "%s: %lld %ss: give 1 or more", name, (long long)given->count,
          what);
    CHECK(given->type == ARGAND_R32 || given->type == ARGAND_R64, ARGAND_ARGUMENT,
          "%s: positions of %ss have type %d: give ARGAND_R32 or ARGAND_R64", name, what, (int)given->type);
    CHECK(given->stride >= 0, ARGAND_ARGUMENT, "%s: stride %lld of the %ss: give 0 or more", name,
          (long long)given->stride, what);
    const int64_t stride = given->stride ? given->stride : 1;
    for (int axis = 0; axis < rank; axis++) {
        CHECK(given->k[axis], ARGAND_ARGUMENT, "%s: no positions of %ss given for axis %d of %d", name, what,
              axis, rank);
        TRY(argand_array_wrap(&k[axis], device, given->type, 1, &given->count, &stride,
                              (void *)(uintptr_t)given->k[axis]));
    }
    return ARGAND_OK;
}

void once_destroy(once_arrays *arrays)
{
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(arrays->k[axis]);
        argand_array_destroy(arrays->other[axis]);
    }
    argand_array_destroy(arrays->in);
    argand_array_destroy(arrays->out);
}

/* What a call was given. Its options have their defaults. */
typedef struct request {
    argand_device *device;
    argand_nufft_options options;
    double scale[3];
    const argand_nufft_points *points;
    int64_t vectors;
    bool adjoint;
    void *image, *samples;
} request;

static argand_status wrap_data(once_arrays *a, const request *r)
{
    const argand_nufft_options *o = &r->options;
    const argand_type real = o->type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    int64_t dims[4] = {0}, samples[2] = {r->points->count, r->vectors};
    for (int axis = 0; axis < o->rank; axis++) dims[axis] = o->n[axis];
    dims[o->rank] = r->vectors;
    TRY(argand_array_wrap(r->adjoint ? &a->out : &a->in, r->device, o->real_image ? real : o->type,
                          o->rank + 1, dims, NULL, r->image));
    return argand_array_wrap(r->adjoint ? &a->in : &a->out, r->device, o->type, 2, samples, NULL, r->samples);
}

static argand_status set_and_apply(argand_nufft *plan, const request *r, const once_arrays *a)
{
    TRY(argand_nufft_set_points(plan, a->k));
    return r->adjoint ? argand_nufft_adjoint(plan, a->out, a->in) : argand_nufft_apply(plan, a->out, a->in);
}

/* Calls of less than half a millisecond do not ask the observer. */
static argand_status transform(argand_nufft *plan, const request *r)
{
    const double work = choice_nanoseconds(plan, (double)r->points->count) * (double)r->vectors;
    const bool is_short = work < 5e5;
    once_arrays arrays = {.in = NULL};
    if (is_short) observe_pause();
    argand_status status =
        once_wrap_points(arrays.k, r->device, "nufft", "point", r->points, r->options.rank);
    if (status == ARGAND_OK) status = wrap_data(&arrays, r);
    if (status == ARGAND_OK) status = set_and_apply(plan, r, &arrays);
    if (is_short) observe_resume();
    once_destroy(&arrays);
    return status;
}

static argand_status find_and_transform(plan_cache *cache, const request *r)
{
    const double count = (double)r->points->count;
    argand_nufft *plan = plan_cache_find(cache, &r->options, count);
    if (!plan) TRY(plan_make(&plan, r->device, &r->options, r->scale, count));
    const argand_status status = transform(plan, r);
    plan_cache_keep(cache, plan);
    return status;
}

static argand_status run(const request *r)
{
    plan_cache *cache;
    const bool pool = device_pool_begin(r->device);
    argand_status status = plan_cache_take(&cache, r->device);
    if (status == ARGAND_OK) {
        status = find_and_transform(cache, r);
        plan_cache_give_back(cache, r->device);
    }
    device_pool_end(r->device, pool);
    return status;
}

static argand_status check_and_run(request *r, const argand_nufft_options *options)
{
    TRY(once_check("nufft", r->device, options, r->adjoint ? r->image : r->samples,
                   r->adjoint ? r->samples : r->image, r->vectors));
    CHECK(r->points, ARGAND_ARGUMENT, "nufft: no points given");
    TRY(nufft_check_options(options));
    TRY(plan_check_device(r->device, options));
    r->options = *options;
    nufft_fill_defaults(&r->options, r->scale);
    return run(r);
}

argand_status argand_nufft_type2(argand_device *device, void *samples, const void *image, int64_t vectors,
                                 const argand_nufft_points *given, const argand_nufft_options *options)
{
    request r = {.device = device,
                 .points = given,
                 .vectors = vectors,
                 .image = (void *)(uintptr_t)image,
                 .samples = samples};
    return check_and_run(&r, options);
}

argand_status argand_nufft_type1(argand_device *device, void *image, const void *samples, int64_t vectors,
                                 const argand_nufft_points *given, const argand_nufft_options *options)
{
    request r = {.device = device,
                 .points = given,
                 .vectors = vectors,
                 .adjoint = true,
                 .image = image,
                 .samples = (void *)(uintptr_t)samples};
    return check_and_run(&r, options);
}
