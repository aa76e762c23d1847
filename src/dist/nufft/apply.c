/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed NUFFTs of both types. All ranks take their memory, agree, walk the same list of exchanges, and
 * agree on the outcome. */
#include "dist/nufft/nufft.h"

#include "array/copy.h"
#include "base/memory.h"
#include "base/observe.h"
#include "device/device.h"
#include "device/range.h"

/* ---- checks ---- */

static argand_status check_array(const argand_dist_nufft *plan, const argand_array *array, const char *name,
                                 bool wanted)
{
    CHECK(wanted || !array, ARGAND_ARGUMENT, "dist nufft: %s given on a rank that has none: give NULL", name);
    if (!wanted) return ARGAND_OK;
    CHECK(array, ARGAND_ARGUMENT, "dist nufft: no %s given", name);
    CHECK(array->type == plan->options.type, ARGAND_ARGUMENT, "dist nufft: %s: %s given, the plan is for %s",
          name, argand_type_name(array->type), argand_type_name(plan->options.type));
    CHECK(argand_array_device(array) == plan->device, ARGAND_ARGUMENT,
          "dist nufft: %s on another device than the plan", name);
    CHECK(argand_array_is_contiguous(array), ARGAND_ARGUMENT, "dist nufft: %s with gaps: copy them", name);
    return ARGAND_OK;
}

static int64_t vectors_of(const argand_array *array, int axis)
{
    int64_t count = 1;
    for (; axis < array->rank; axis++) count *= array->dims[axis];
    return count;
}

/* *vectors: 0 on a rank that has neither image nor samples */
static argand_status check_shapes(const argand_dist_nufft *plan, const argand_array *samples,
                                  const argand_array *image, int64_t *vectors)
{
    const padded_fft *p = plan->points->fft;
    const int rank = plan->options.rank;
    TRY(check_array(plan, image, "image", p->z_own > 0));
    TRY(check_array(plan, samples, "samples", plan->points->route->given > 0));
    for (int axis = 0; image && axis < rank; axis++) {
        const int64_t wanted = axis == rank - 1 ? p->z_own : plan->options.n[axis];
        CHECK(argand_array_dim(image, axis) == wanted, ARGAND_ARGUMENT,
              "dist nufft: image has %lld pixels on axis %d, this rank's part %lld",
              (long long)argand_array_dim(image, axis), axis, (long long)wanted);
    }
    CHECK(!samples || argand_array_dim(samples, 0) == plan->points->route->given, ARGAND_ARGUMENT,
          "dist nufft: %lld samples for %lld points", (long long)argand_array_dim(samples, 0),
          (long long)plan->points->route->given);
    if (image) *vectors = vectors_of(image, rank);
    if (image && samples)
        CHECK(vectors_of(samples, 1) == *vectors, ARGAND_ARGUMENT,
              "dist nufft: %lld vectors of samples but %lld images", (long long)vectors_of(samples, 1),
              (long long)*vectors);
    if (samples) *vectors = vectors_of(samples, 1);
    return ARGAND_OK;
}

static argand_status check(const argand_dist_nufft *plan, const argand_array *samples,
                           const argand_array *image, int64_t *vectors)
{
    *vectors = 0;
    CHECK(plan, ARGAND_ARGUMENT, "dist nufft: no plan given");
    CHECK(plan->points, ARGAND_ARGUMENT,
          "dist nufft: the plan has no points: call argand_dist_nufft_set_points first");
    TRY(argand_comm_agree(plan->comm, check_shapes(plan, samples, image, vectors)));
    return padded_agree_vectors(plan->points->fft, vectors);
}

/* ---- a group of vectors ---- */

typedef struct call {
    const argand_dist_nufft *plan;
    const dist_points *p;
    int64_t vectors;
    size_t bytes;                         /* of a number */
    argand_array *grid, *slab;            /* {x, z, planes, vectors}; the same as the slab's plan wants it */
    argand_array *held, *image, *samples; /* {held, vectors}; parts of the caller's */
    padded_call fft;
    halo_call ghosts;
    moved values; /* held */
    /* Samples in the order of the ranks: in host memory, or where the communicator exchanges the device's
     * memory. On one rank that is the caller's order, and held is the caller's array. */
    bool is_alone, on_device;
    argand_array *sorted;
    char *packed, *copy; /* copy: the caller's samples, if the host cannot access them */
} call;

/* This group's part of the caller's array, whose vectors are as long as `numbers` */
static argand_status part_of(argand_array **part, const argand_array *array, int64_t numbers, int64_t first,
                             int64_t count)
{
    const int64_t all = numbers * count, stride = 1;
    return array ? argand_array_view(part, array, 1, &all, &stride, numbers * first) : ARGAND_OK;
}

static argand_comm *comm_of_samples(const call *c)
{
    return c->on_device ? c->plan->exchanges : c->p->route->comm;
}

static argand_status take_grid(call *c)
{
    const padded_fft *p = c->p->fft;
    const int64_t dims[4] = {p->X, p->Z, p->options.planes, c->vectors},
                  held[2] = {c->p->route->held, c->vectors};
    if (p->y_own) {
        TRY(array_scratch(&c->grid, c->plan->device, c->plan->options.type, 4, dims));
        const int flat = c->plan->options.rank == 2; /* there is no x */
        TRY(argand_array_reshape(&c->slab, c->grid, 4 - flat, dims + flat));
    }
    TRY(halo_prepare(&c->ghosts, c->p->ghosts, c->grid, 2));
    if (c->is_alone) return held[0] ? argand_array_reshape(&c->held, c->samples, 2, held) : ARGAND_OK;
    if (held[0]) TRY(array_scratch(&c->held, c->plan->device, c->plan->options.type, 2, held));
    return moved_take(&c->values, comm_of_samples(c), c->held);
}

static argand_status take_samples(call *c)
{
    const int64_t given = c->p->route->given, dims[2] = {given, c->vectors};
    const size_t bytes = memory_product((size_t)(given * c->vectors), c->bytes);
    if (c->is_alone || !given) return ARGAND_OK;
    if (c->on_device) return array_scratch(&c->sorted, c->plan->device, c->plan->options.type, 2, dims);
    TRY(memory_take_pages(&c->packed, bytes));
    return argand_array_data(c->samples) ? ARGAND_OK : memory_take_pages(&c->copy, bytes);
}

static argand_status prepare(call *c, const argand_array *samples, const argand_array *image, int64_t first)
{
    const padded_fft *p = c->p->fft;
    TRY(observe_again());
    TRY(part_of(&c->image, image, p->x * p->y * p->z_own, first, c->vectors));
    TRY(part_of(&c->samples, samples, c->p->route->given, first, c->vectors));
    TRY(padded_prepare(&c->fft, c->p->fft, c->vectors));
    TRY(take_grid(c));
    return take_samples(c);
}

static void release(call *c)
{
    memory_free(c->copy);
    memory_free(c->packed);
    argand_array_destroy(c->sorted);
    moved_release(&c->values);
    halo_release(&c->ghosts);
    argand_array_destroy(c->held);
    argand_array_destroy(c->slab);
    argand_array_destroy(c->grid);
    padded_release(&c->fft);
    argand_array_destroy(c->samples);
    argand_array_destroy(c->image);
}

/* The caller's samples, from or to the order of the ranks */
static argand_status move_samples(const call *c, bool to_packed)
{
    const routing *r = c->p->route;
    if (!c->samples || c->is_alone) return ARGAND_OK;
    if (c->on_device)
        return to_packed ? routing_permute(r, c->sorted, c->samples, false)
                         : routing_permute(r, c->samples, c->sorted, true);
    const size_t vector = c->bytes * (size_t)r->given;
    const int threads = argand_device_threads(c->plan->device);
    char *values = c->copy ? c->copy : argand_array_data(c->samples);
    if (to_packed)
        TRY(c->copy ? argand_array_download(c->samples, c->copy) : argand_device_wait(c->plan->device));
    for (int64_t v = 0; v < c->vectors; v++)
        if (to_packed)
            routing_pack(r, c->packed + vector * (size_t)v, values + vector * (size_t)v, c->bytes, threads);
        else
            routing_unpack(r, values + vector * (size_t)v, c->packed + vector * (size_t)v, c->bytes, threads);
    return c->copy && !to_packed ? argand_array_upload(c->samples, c->copy) : ARGAND_OK;
}

/* Sends samples to the ranks that keep their points, or returns them. */
static argand_status exchange_samples(const call *c, bool to_points)
{
    char *sorted = c->sorted ? comm_memory(c->sorted) : c->packed;
    if (c->is_alone) return ARGAND_OK;
    return to_points
               ? routing_send(c->p->route, comm_of_samples(c), c->values.base, sorted, c->bytes, c->vectors)
               : routing_return(c->p->route, comm_of_samples(c), sorted, c->values.base, c->bytes,
                                c->vectors);
}

/* The plane that makes the number of planes even is seen by no window, but it must be a number. */
static argand_status clear_last_plane(const call *c)
{
    const int64_t used = c->p->ghosts->before + c->p->ghosts->own + c->p->ghosts->after,
                  more = c->grid->dims[2] - used;
    argand_array *planes = NULL;
    if (!more) return ARGAND_OK;
    TRY(argand_array_part(&planes, c->grid, 2, used, more));
    const argand_status status = argand_array_fill(planes, (argand_scalar){0, 0});
    argand_array_destroy(planes);
    return status;
}

/* A rank that fails goes on with the exchanges, so that the others do not wait for it, and keeps its first
 * failure. */
#define STEP(step)                                \
    do {                                          \
        const argand_status step_status = (step); \
        if (!status) status = step_status;        \
    } while (0)

static argand_status forward(call *c)
{
    argand_status status = padded_forward(&c->fft, c->grid, c->image);
    STEP(halo_fill(&c->ghosts));
    if (c->grid && !status) status = clear_last_plane(c);
    if (c->held && !status) status = argand_nufft_interpolate(c->p->slab, c->held, c->slab);
    if (!status) status = moved_before(&c->values);
    STEP(exchange_samples(c, false));
    return status ? status : move_samples(c, false);
}

static argand_status adjoint(call *c)
{
    argand_status status = move_samples(c, true);
    STEP(exchange_samples(c, true));
    if (!status) status = moved_after(&c->values);
    if (c->held && !status) status = argand_nufft_spread(c->p->slab, c->slab, c->held);
    if (c->grid && !c->held && !status) status = argand_array_fill(c->grid, (argand_scalar){0, 0});
    STEP(halo_add(&c->ghosts));
    STEP(padded_adjoint(&c->fft, c->image, c->grid));
    return status;
}

static argand_status run(const argand_dist_nufft *plan, const argand_array *samples,
                         const argand_array *image, argand_status (*steps)(call *))
{
    int64_t vectors, count;
    TRY(check(plan, samples, image, &vectors));
    const int64_t most = padded_most_vectors(plan->points->fft);
    for (int64_t first = 0; first < vectors; first += count) {
        count = vectors - first < most ? vectors - first : most;
        call c = {.plan = plan,
                  .p = plan->points,
                  .vectors = count,
                  .bytes = argand_type_size(plan->options.type),
                  .is_alone = argand_comm_size(plan->comm) == 1,
                  .on_device = plan->exchanges->device != NULL};
        argand_status status = argand_comm_agree(plan->comm, prepare(&c, samples, image, first));
        if (!status) status = argand_comm_agree(plan->comm, steps(&c));
        release(&c);
        TRY(status);
    }
    return ARGAND_OK;
}

argand_status argand_dist_nufft_apply(const argand_dist_nufft *plan, argand_array *samples,
                                      const argand_array *image)
{
    range_push("argand dist nufft forward");
    return range_end(run(plan, samples, image, forward));
}

argand_status argand_dist_nufft_adjoint(const argand_dist_nufft *plan, argand_array *image,
                                        const argand_array *samples)
{
    range_push("argand dist nufft adjoint");
    return range_end(run(plan, samples, image, adjoint));
}

argand_status argand_dist_nufft_set_points(argand_dist_nufft *plan, argand_array *const k[])
{
    dist_points *fresh;
    CHECK(plan, ARGAND_ARGUMENT, "dist nufft: no plan given");
    TRY(dist_points_create(&fresh, plan, k));
    dist_points_destroy(plan->points);
    plan->points = fresh;
    return ARGAND_OK;
}
