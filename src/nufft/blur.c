/* SPDX-License-Identifier: BSD-3-Clause */
/* Spreading and interpolation alone, C C^T: what density compensation iterates (Pipe and Menon, MRM 41:179,
 * 1999). */
#include "nufft/on_device.h"
#include "nufft/on_host.h"

#include "array/array.h"
#include "base/memory.h"

static argand_status check(const argand_nufft *plan, const argand_array *array, const char *name)
{
    CHECK(array, ARGAND_ARGUMENT, "nufft blur: no %s given", name);
    CHECK(argand_array_device(array) == plan->device, ARGAND_ARGUMENT,
          "nufft blur: %s on another device than the plan", name);
    const argand_type type = argand_array_type(array);
    CHECK(type_is_double(type) == plan->layout->is_double, ARGAND_ARGUMENT,
          "nufft blur: %s: %s given, but the plan is for %s", name, argand_type_name(type),
          argand_type_name(plan->options.type));
    CHECK(argand_array_dim(array, 0) == plan_points(plan) && argand_array_count(array) == plan_points(plan),
          ARGAND_ARGUMENT, "nufft blur: %s: %lld numbers for %lld points; one vector is taken", name,
          (long long)argand_array_count(array), (long long)plan_points(plan));
    return ARGAND_OK;
}

/* The grid step between complex vectors of the plan's precision */
static argand_status blur_complex(const argand_nufft *plan, argand_array *result, const argand_array *samples)
{
    const int64_t origin = 0;
    sample_view in = {argand_array_data(samples), argand_array_stride(samples, 0), &origin, 1};
    sample_view out = {argand_array_data(result), argand_array_stride(result, 0), &origin, 1};
    workspace *s;
    TRY(workspace_take(&s, plan, LANES_ONE));
    gridding_spread(plan, LANES_ONE, s, &in);
    gridding_interpolate(plan, LANES_ONE, s, &out);
    workspace_give_back(plan, s);
    return ARGAND_OK;
}

static argand_status blur_real(const argand_nufft *plan, argand_array *result, const argand_array *samples)
{
    const int64_t count = plan->points->count;
    argand_array *number;
    TRY(argand_array_create(&number, plan->device, plan->options.type, 1, &count));
    argand_status status = argand_array_copy(number, samples);
    if (status == ARGAND_OK) status = argand_device_wait(plan->device);
    if (status == ARGAND_OK) status = blur_complex(plan, number, number);
    if (status == ARGAND_OK) status = argand_array_real(result, number);
    argand_array_destroy(number);
    return status;
}

argand_status argand_nufft_blur(const argand_nufft *plan, argand_array *result, const argand_array *samples)
{
    TRY(plan_with_window(&plan, plan));
    TRY(check(plan, samples, "samples"));
    TRY(check(plan, result, "result"));
    CHECK(argand_array_type(result) == argand_array_type(samples), ARGAND_ARGUMENT,
          "nufft blur: the result is %s but samples are %s", argand_type_name(argand_array_type(result)),
          argand_type_name(argand_array_type(samples)));
    if (plan->gpu) return gpu_blur(plan, result, samples);
    TRY(argand_device_wait(plan->device));
    return (type_is_complex(argand_array_type(samples)) ? blur_complex : blur_real)(plan, result, samples);
}
