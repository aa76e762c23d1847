/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans NUFFTs of types 1 and 2: makes a plan, gives it points, describes and destroys it. */
#include "nufft/on_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "array/copy.h"
#include "base/given.h"
#include "base/memory.h"
#include "base/observe.h"
#include "base/pi.h"
#include "base/plain.h"
#include "device/device.h"
#include "nufft/again.h"
#include "nufft/stack.h"

argand_status nufft_check_options(const argand_nufft_options *o)
{
    CHECK(o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "nufft: type %d: give ARGAND_C32 or ARGAND_C64", (int)o->type);
    CHECK(o->rank >= 1 && o->rank <= 3, ARGAND_ARGUMENT, "nufft: rank %d: give 1, 2 or 3", o->rank);
    for (int axis = 0; axis < o->rank; axis++)
        CHECK(o->n[axis] >= 1 && o->n[axis] <= INT32_MAX / 8, ARGAND_ARGUMENT,
              "nufft: n[%d] = %lld: give 1 to 2^28 - 1", axis, (long long)o->n[axis]);
    CHECK(o->tolerance >= 0 && o->tolerance <= 1, ARGAND_ARGUMENT,
          "nufft: tolerance %g: give a relative error up to 1, or 0 for the default", o->tolerance);
    CHECK(o->oversampling == 0 || (o->oversampling > 1 && o->oversampling <= 16), ARGAND_ARGUMENT,
          "nufft: oversampling %g: give more than 1 and at most 16, or 0 to have it chosen", o->oversampling);
    CHECK(o->sign >= -1 && o->sign <= 1, ARGAND_ARGUMENT, "nufft: sign %d: give -1 or 1, or 0 for -1",
          o->sign);
    CHECK(o->units == ARGAND_NUFFT_CYCLES || o->units == ARGAND_NUFFT_RADIANS, ARGAND_ARGUMENT,
          "nufft: units %d: give ARGAND_NUFFT_CYCLES or ARGAND_NUFFT_RADIANS", (int)o->units);
    CHECK(o->order == ARGAND_NUFFT_CENTRED || o->order == ARGAND_NUFFT_FFT_ORDER, ARGAND_ARGUMENT,
          "nufft: order %d: give ARGAND_NUFFT_CENTRED or ARGAND_NUFFT_FFT_ORDER", (int)o->order);
    return ARGAND_OK;
}

void nufft_fill_defaults(argand_nufft_options *o, double scale[3])
{
    if (o->tolerance == 0) o->tolerance = o->type == ARGAND_C64 ? 1e-9 : 1e-5;
    if (o->sign == 0) o->sign = -1;
    for (int axis = 0; axis < o->rank; axis++)
        scale[axis] = -o->sign * (o->units == ARGAND_NUFFT_RADIANS ? (double)o->n[axis] / (2 * PI) : 1);
}

argand_status plan_check_points(const argand_nufft *plan)
{
    CHECK(plan, ARGAND_ARGUMENT, "nufft: no plan given");
    CHECK(plan->points || plan->gpu || plan->stack, ARGAND_ARGUMENT,
          "nufft: the plan has no points: call argand_nufft_set_points first");
    return ARGAND_OK;
}

argand_status plan_check_complex(const argand_nufft *plan)
{
    CHECK(!plan->options.real_image, ARGAND_UNSUPPORTED,
          "nufft: a plan for real images has apply and adjoint alone: make one without real_image for this");
    return ARGAND_OK;
}

bool plan_widens(const argand_nufft *plan)
{
    return plan->options.real_image && plan->stack && !plan->stack->options.real_image;
}

argand_status plan_with_window(const argand_nufft **whole, const argand_nufft *plan)
{
    TRY(plan_check_points(plan));
    *whole = plan;
    TRY(plan_check_complex(plan));
    return plan->stack ? stack_whole(whole, plan->stack) : ARGAND_OK;
}

/* One image, which is a vector of every call. */
static argand_status check_memory(const argand_nufft_options *o, argand_device *device)
{
    size_t image = (o->type == ARGAND_C64 ? 8U : 4U) * (o->real_image ? 1U : 2U);
    for (int axis = 0; axis < o->rank; axis++) image = memory_product(image, (size_t)o->n[axis]);
    return device_check_memory(device, image, "argand_nufft_create: one image");
}

argand_status plan_check_device(argand_device *device, const argand_nufft_options *options)
{
    CHECK(options->type != ARGAND_C64 || device_has_double(device), ARGAND_UNSUPPORTED,
          "nufft: type c64: the device has no double precision; give ARGAND_C32, or the cpu device");
    return check_memory(options, device);
}

argand_status plan_make(argand_nufft **plan, argand_device *device, const argand_nufft_options *options,
                        const double scale[3], double points_count)
{
    argand_nufft *made;
    TRY(NEW(made, 1));
    made->options = *options;
    made->device = device;
    for (int axis = 0; axis < 3; axis++) made->scale[axis] = scale[axis];
    choice_make(&made->chosen, &made->choices, options, points_count, !device_is_host(device), false);
    made->chosen_for = points_count;
    const argand_status status = layout_create(&made->layout, options, &made->chosen, false);
    if (status != ARGAND_OK) {
        memory_free(made);
        return status;
    }
    *plan = made;
    return ARGAND_OK;
}

static argand_status make_plan(argand_nufft **plan, argand_device *device,
                               const argand_nufft_options *options)
{
    argand_nufft_options filled = *options;
    double scale[3] = {0}, pixels = 1;
    nufft_fill_defaults(&filled, scale);
    for (int axis = 0; axis < options->rank; axis++) pixels *= (double)options->n[axis];
    TRY(plan_make(plan, device, &filled, scale, pixels));
    device_keep(device);
    return ARGAND_OK;
}

argand_status argand_nufft_create(argand_nufft **plan, argand_device *device,
                                  const argand_nufft_options *options)
{
    if (plan) *plan = NULL;
    TRY(check_given("nufft", plan, device, options));
    TRY(nufft_check_options(options));
    TRY(plan_check_device(device, options));
    const bool pool = device_pool_begin(device);
    const argand_status status = make_plan(plan, device, options);
    device_pool_end(device, pool);
    return status;
}

static argand_status check_points(const argand_nufft *plan, argand_array *const k[])
{
    CHECK(plan && k, ARGAND_ARGUMENT, "nufft: no %s given", plan ? "points" : "plan");
    for (int axis = 0; axis < plan->options.rank; axis++) {
        CHECK(k[axis], ARGAND_ARGUMENT, "nufft: no positions given for axis %d of %d", axis,
              plan->options.rank);
        const argand_type type = argand_array_type(k[axis]);
        CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
              "nufft: positions of axis %d are %s: give r32 or r64", axis, argand_type_name(type));
        CHECK(argand_array_is_contiguous(k[axis]) || k[axis]->rank == 1, ARGAND_ARGUMENT,
              "nufft: positions of axis %d have %d dimensions with gaps: copy them", axis, k[axis]->rank);
        CHECK(argand_array_count(k[axis]) == argand_array_count(k[0]), ARGAND_ARGUMENT,
              "nufft: %lld positions on axis %d but %lld on axis 0", (long long)argand_array_count(k[axis]),
              axis, (long long)argand_array_count(k[0]));
    }
    return ARGAND_OK;
}

static bool same_grid(const layout *l, const choice *c)
{
    for (int axis = 0; axis < l->axes; axis++)
        if (l->grid[axis] != c->grid[axis]) return false;
    return l->window.width == c->width;
}

/* One of the three ways to hold points. */
static argand_status create_points(const argand_nufft *plan, const layout *l, argand_array *const k[],
                                   argand_nufft *fresh)
{
    if (!plan->options.window_only) TRY(stack_create(&fresh->stack, plan, k));
    if (fresh->stack) return ARGAND_OK;
    if (!device_is_host(plan->device))
        return gpu_create(&fresh->gpu, plan, l, k, fresh->layout ? NULL : plan->gpu);
    TRY(argand_device_wait(plan->device));
    TRY(layout_prepare(l, LANES_ONE)); /* here rather than in the first call */
    return points_create(&fresh->points, l, k, plan->scale, argand_device_threads(plan->device));
}

void plan_free_points(argand_nufft *plan)
{
    points_destroy(plan->points);
    gpu_destroy(plan->gpu);
    stack_destroy(plan->stack);
    plan->points = NULL;
    plan->gpu = NULL;
    plan->stack = NULL;
}

/* k is where the device that computes wants positions. */
static argand_status sort_points(argand_nufft *plan, argand_array *const k[])
{
    TRY(observe_again());
    const double count = (double)argand_array_count(k[0]);
    const bool on_gpu = !device_is_host(plan->device);
    argand_nufft fresh = {.layout = NULL};
    if (plan->chosen_for != count && !plan->is_slab)
        choice_make(&plan->chosen, &plan->choices, &plan->options, count, on_gpu, plan->planes);
    plan->chosen_for = count;
    if (!same_grid(plan->layout, &plan->chosen))
        TRY(layout_create(&fresh.layout, &plan->options, &plan->chosen, plan->planes));
    const argand_status status = create_points(plan, fresh.layout ? fresh.layout : plan->layout, k, &fresh);
    if (status != ARGAND_OK) {
        layout_destroy(fresh.layout);
        return status;
    }
    if (fresh.layout) {
        layout_destroy(plan->layout);
        plan->layout = fresh.layout;
    }
    plan_free_points(plan);
    plan->points = fresh.points;
    plan->gpu = fresh.gpu;
    plan->stack = fresh.stack;
    return ARGAND_OK;
}

/* The host takes positions that lie apart as they are, devices together. */
static argand_status take_positions(argand_array **out, const argand_array *k, argand_device *device)
{
    const int64_t count = argand_array_count(k);
    const bool copy = !device_is_host(device) && !argand_array_is_contiguous(k);
    if (!copy || argand_array_device(k) != device) return array_on_device(out, k, device);
    TRY(argand_array_create(out, device, k->type, 1, &count));
    return argand_array_copy(*out, k); /* the caller destroys it */
}

static argand_status set_points(argand_nufft *plan, argand_array *const k[])
{
    argand_array *local[3] = {NULL};
    argand_status status = ARGAND_OK;
    argand_device *where;
    TRY(gpu_positions_device(&where, plan->device));
    for (int axis = 0; axis < plan->options.rank && status == ARGAND_OK; axis++)
        status = take_positions(&local[axis], k[axis], where);
    if (status == ARGAND_OK) status = sort_points(plan, local);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(local[axis]);
    return status;
}

argand_status argand_nufft_set_points(argand_nufft *plan, argand_array *const k[])
{
    TRY(check_points(plan, k));
    const bool pool = device_pool_begin(plan->device);
    const argand_status status = set_points(plan, k);
    device_pool_end(plan->device, pool);
    return status;
}

argand_status nufft_set_points_again(argand_nufft *plan, argand_array *const k[])
{
    bool together = plan->gpu && device_has_double(plan->device);
    for (int axis = 0; axis < plan->options.rank && together; axis++)
        together = argand_array_device(k[axis]) == plan->device && argand_array_is_contiguous(k[axis]) &&
                   argand_array_count(k[axis]) == gpu_describe(plan->gpu).count;
    return together ? gpu_set_again(plan->gpu, k) : argand_nufft_set_points(plan, k);
}

int64_t plan_points(const argand_nufft *plan)
{
    return plan->stack    ? plan->stack->points
           : plan->gpu    ? gpu_describe(plan->gpu).count
           : plan->points ? plan->points->count
                          : 0;
}

static size_t bytes_of_points(const argand_nufft *plan)
{
    return plan->stack    ? stack_bytes(plan->stack)
           : plan->gpu    ? gpu_describe(plan->gpu).bytes
           : plan->points ? plan->points->bytes
                          : 0;
}

static size_t set_bytes(const argand_nufft *plan)
{
    if (plan->gpu) return gpu_describe(plan->gpu).set_bytes;
    return bytes_of_points(plan); /* sorted in two steps, of which each has its own memory */
}

static size_t scratch_bytes(const argand_nufft *plan)
{
    const layout *l = plan->layout;
    const size_t widened =
        plan_widens(plan) ? (l->is_double ? 16u : 8u) * (size_t)(l->image[0] * l->image[1] * l->image[2]) : 0;
    if (plan->stack) return widened + plan->stack->vector_bytes;
    if (plan->gpu) return widened + gpu_describe(plan->gpu).vector_bytes;
    if (device_is_host(plan->device)) return workspace_wanted(plan, argand_device_threads(plan->device));
    return (l->is_double ? 32u : 16u) * (size_t)(l->grid[0] * l->grid[1] * l->grid[2]);
}

void argand_nufft_describe(const argand_nufft *plan, argand_nufft_info *info)
{
    if (info) *info = (argand_nufft_info){0};
    if (!plan || !info) return;
    const layout *l = plan->layout;
    const size_t scratch = scratch_bytes(plan); /* makes what the layout's bytes count */
    *info = (argand_nufft_info){.tolerance = plan->options.tolerance,
                                .expected_error = l->expected_error,
                                .oversampling = (double)l->grid[0] / (double)l->image[0],
                                .width = l->window.width,
                                .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                .bytes = sizeof *plan + layout_bytes(l) + bytes_of_points(plan),
                                .points_bytes = set_bytes(plan),
                                .scratch_bytes = scratch,
                                .type = plan->options.type,
                                .rank = l->axes,
                                .n = {l->image[0], l->image[1], l->image[2]},
                                .points = plan_points(plan),
                                .batch = plan->gpu ? gpu_describe(plan->gpu).batch : l->many,
                                .real_image = plan->options.real_image};
    if (plan->stack) stack_describe(plan->stack, info);
}

/* Appends what a plan on a device does without. */
static void add_failure(nufft_gpu *g, char *text, size_t size)
{
    char reason[256];
    const size_t used = strlen(text);
    gpu_failure(g, reason, sizeof reason);
    if (*reason) plain_print(text + used, size - used, "; own kernels failed: %s", reason);
}

void argand_nufft_print(const argand_nufft *plan, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!plan || !text) return;
    const layout *l = plan->layout;
    char image[64], grid[64], batch[32] = "";
    if (plan->stack) {
        stack_print(plan->stack, text, size);
        return;
    }
    dims_print(image, sizeof image, l->axes, l->image);
    dims_print(grid, sizeof grid, l->axes, l->grid);
    if (plan->gpu) snprintf(batch, sizeof batch, " batch %d", gpu_describe(plan->gpu).batch);
    plain_print(text, size,
                "(nufft %s %s%s grid %s (kaiser-bessel width %d, %d terms) tolerance %.3g expected %.3g "
                "points %lld%s)",
                l->is_double ? "c64" : "c32", plan->options.real_image ? "real " : "", image, grid,
                l->window.width, l->window.terms, plan->options.tolerance, l->expected_error,
                (long long)plan_points(plan), batch);
    if (plan->gpu) add_failure(plan->gpu, text, size);
}

void plan_free(argand_nufft *plan)
{
    if (!plan) return;
    workspace_destroy(plan->spare);
    plan_free_points(plan);
    layout_destroy(plan->layout);
    memory_free(plan);
}

void argand_nufft_destroy(argand_nufft *plan)
{
    if (!plan) return;
    argand_device *const device = plan->device;
    const bool pool = device_pool_begin(device);
    plan_free(plan);
    device_pool_end(device, pool);
    argand_device_close(device);
}
