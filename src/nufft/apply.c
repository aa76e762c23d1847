/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans applied: arrays checked, their vectors put into groups that fill a cell, each group taken through the
 * passes. */
#include "nufft/apply.h"
#include "nufft/on_device.h"

#include "array/copy.h"
#include "base/memory.h"
#include "base/observe.h"
#include "device/range.h"
#include "nufft/stack.h"

/* Image and samples of a transform as vectors: where each begins. */
typedef struct vectors {
    int64_t count;
    int64_t *image, *samples; /* first element of each vector */
} vectors;

/* Dimensions from `axis` on are vectors; counts them. */
static int64_t count_vectors(const argand_array *array, int axis)
{
    int64_t count = 1;
    for (; axis < argand_array_rank(array); axis++) count *= argand_array_dim(array, axis);
    return count;
}

static int64_t vector_offset(const argand_array *array, int axis, int64_t vector)
{
    int64_t offset = 0;
    for (; axis < argand_array_rank(array); axis++) {
        offset += vector % argand_array_dim(array, axis) * argand_array_stride(array, axis);
        vector /= argand_array_dim(array, axis);
    }
    return offset;
}

static argand_status check_array(const argand_nufft *plan, const argand_array *array, argand_type type,
                                 const char *name)
{
    CHECK(array, ARGAND_ARGUMENT, "nufft: no %s given", name);
    CHECK(argand_array_device(array) == plan->device, ARGAND_ARGUMENT,
          "nufft: %s are on another device than the plan", name);
    CHECK(argand_array_type(array) == type, ARGAND_ARGUMENT, "nufft: %s: %s given, the plan is for %s", name,
          argand_type_name(argand_array_type(array)), argand_type_name(type));
    return ARGAND_OK;
}

argand_status transform_check(const argand_nufft *plan, const transform *t, const argand_array *samples,
                              const argand_array *image)
{
    const argand_type type = plan->options.type, real = type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    TRY(check_array(plan, samples, type, "samples"));
    TRY(check_array(plan, image, plan->options.real_image ? real : type, t->gridded));
    for (int axis = 0; axis < plan->options.rank; axis++)
        CHECK(argand_array_dim(image, axis) == t->sizes[axis], ARGAND_ARGUMENT,
              "nufft: %s has %lld pixels on axis %d, the plan %lld", t->gridded,
              (long long)argand_array_dim(image, axis), axis, (long long)t->sizes[axis]);
    CHECK(argand_array_dim(samples, 0) == plan_points(plan), ARGAND_ARGUMENT,
          "nufft: %lld samples for %lld points", (long long)argand_array_dim(samples, 0),
          (long long)plan_points(plan));
    const int64_t images = count_vectors(image, plan->options.rank), series = count_vectors(samples, 1);
    CHECK(images == series, ARGAND_ARGUMENT, "nufft: %lld vectors of samples but %lld %ss", (long long)series,
          (long long)images, t->gridded);
    return ARGAND_OK;
}

static argand_status list_vectors(vectors *v, const argand_nufft *plan, const argand_array *samples,
                                  const argand_array *image)
{
    *v = (vectors){.count = count_vectors(samples, 1)};
    TRY(NEW(v->image, v->count));
    TRY(NEW(v->samples, v->count));
    for (int64_t i = 0; i < v->count; i++) {
        v->image[i] = vector_offset(image, plan->options.rank, i);
        v->samples[i] = vector_offset(samples, 1, i);
    }
    return ARGAND_OK;
}

static void free_vectors(vectors *v)
{
    memory_free(v->samples);
    memory_free(v->image);
}

/* Returns how many vectors form the next group: as many as a cell holds, or one if the rest would leave
 * most of a cell empty. */
static int group_size(const layout *l, int64_t left)
{
    if (left >= l->many) return l->many;
    return left > l->many / 4 ? (int)left : 1;
}

static lane_mode mode_of(int group)
{
    return group > 1 ? LANES_MANY : LANES_ONE;
}

static pass_job make_job(const argand_nufft *plan, lane_mode mode, const workspace *s,
                         const argand_array *image, const int64_t *offsets, int group)
{
    pass_job job = {.l = plan->layout,
                    .mode = mode,
                    .threads = s->threads,
                    .grid = s->grid,
                    .lines = s->lines,
                    .line_bytes = s->line_bytes,
                    .used = (const bool *const *)plan->points->used,
                    .image = {.data = argand_array_data(image), .vectors = offsets, .vector_count = group}};
    for (int axis = 0; axis < plan->options.rank; axis++) {
        const int64_t n = argand_array_dim(image, axis);
        job.image.stride[axis] = argand_array_stride(image, axis);
        job.image.first[axis] = plan->options.order == ARGAND_NUFFT_FFT_ORDER ? n - n / 2 : 0;
    }
    return job;
}

static void forward_group(const argand_nufft *plan, workspace *s, const pass_job *job,
                          const sample_view *samples)
{
    static void (*const passes[2][CPU_LEVELS])(const pass_job *) = CPU_VARIANTS(nufft_image_to_grid);
    passes[plan->layout->is_double][cpu_best()](job);
    gridding_interpolate(plan, job->mode, s, samples);
}

static void adjoint_group(const argand_nufft *plan, workspace *s, const pass_job *job,
                          const sample_view *samples)
{
    static void (*const passes[2][CPU_LEVELS])(const pass_job *) = CPU_VARIANTS(nufft_grid_to_image);
    gridding_spread(plan, job->mode, s, samples);
    passes[plan->layout->is_double][cpu_best()](job);
}

static argand_status run_groups(const argand_nufft *plan, const argand_array *samples,
                                const argand_array *image, const vectors *v, group_function *function)
{
    int group;
    for (int64_t i = 0; i < v->count; i += group) {
        group = group_size(plan->layout, v->count - i);
        const lane_mode mode = mode_of(group);
        workspace *s;
        TRY(observe_again());
        TRY(workspace_take(&s, plan, mode));
        const pass_job job = make_job(plan, mode, s, image, v->image + i, group);
        const sample_view view = {.data = argand_array_data(samples),
                                  .stride = argand_array_stride(samples, 0),
                                  .vectors = v->samples + i,
                                  .vector_count = group};
        function(plan, s, &job, &view);
        workspace_give_back(plan, s);
    }
    return ARGAND_OK;
}

/* Arrays in host memory. */
static argand_status run_vectors(const argand_nufft *plan, const argand_array *samples,
                                 const argand_array *image, group_function *function)
{
    TRY(argand_device_wait(plan->device));
    vectors v;
    argand_status status = list_vectors(&v, plan, samples, image);
    if (status == ARGAND_OK) status = run_groups(plan, samples, image, &v, function);
    free_vectors(&v);
    return status;
}

static argand_status run_on_host(const argand_nufft *plan, const transform *t, argand_array *out,
                                 const argand_array *in)
{
    if (plan->stack) return stack_run(plan->stack, t->adjoint, out, in);
    const bool pool = device_pool_begin(plan->device);
    const argand_status status =
        t->adjoint ? run_vectors(plan, in, out, t->group) : run_vectors(plan, out, in, t->group);
    device_pool_end(plan->device, pool);
    return status;
}

/* Real pixels as complex numbers, and the real part of those that come. */
static argand_status run_widened(const argand_nufft *plan, const transform *t, argand_array *out,
                                 const argand_array *in)
{
    const argand_array *image = t->adjoint ? out : in;
    argand_array *wide = NULL;
    argand_status status;
    TRY_OR_DONE(array_scratch(&wide, plan->device, plan->options.type, image->rank, image->dims));
    if (!t->adjoint) TRY_OR_DONE(argand_array_copy(wide, in));
    TRY_OR_DONE(run_on_host(plan, t, t->adjoint ? wide : out, t->adjoint ? in : wide));
    if (t->adjoint) status = argand_array_real(out, wide);
done:
    argand_array_destroy(wide);
    return status;
}

argand_status transform_run(const argand_nufft *plan, const transform *t, argand_array *out,
                            const argand_array *in)
{
    TRY(t->adjoint ? transform_check(plan, t, in, out) : transform_check(plan, t, out, in));
    if (plan->gpu) return gpu_run(plan, t, out, in);
    return plan_widens(plan) ? run_widened(plan, t, out, in) : run_on_host(plan, t, out, in);
}

argand_status argand_nufft_apply(const argand_nufft *plan, argand_array *samples, const argand_array *image)
{
    TRY(plan_check_points(plan));
    const transform t = {"image", plan->options.n, false, forward_group, false};
    range_push("argand nufft forward");
    return range_end(transform_run(plan, &t, samples, image));
}

argand_status argand_nufft_adjoint(const argand_nufft *plan, argand_array *image, const argand_array *samples)
{
    TRY(plan_check_points(plan));
    const transform t = {"image", plan->options.n, true, adjoint_group, false};
    range_push("argand nufft adjoint");
    return range_end(transform_run(plan, &t, image, samples));
}
