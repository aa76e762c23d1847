/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the part of a plan for points with a Cartesian axis: the FFT along that axis and the NUFFT of the
 * planes. */
#include "nufft/stack.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/pi.h"
#include "base/plain.h"

enum { MOST_VECTORS = 64, HOST_BYTES = 256 << 20 };

/* The position that each sample of a plane has on one axis: those of the first plane, shot by shot. */
static argand_status points_of_plane(argand_array **out, const stack_order *o, const argand_array *k)
{
    const int64_t dims[2] = {o->run, o->shots}, strides[2] = {1, o->run * o->planes};
    argand_array *first = NULL;
    argand_status status;
    *out = NULL;
    TRY_OR_DONE(argand_array_view(&first, k, 2, dims, strides, 0));
    TRY_OR_DONE(argand_array_create(out, argand_array_device(k), k->type, 2, dims));
    status = argand_array_copy(*out, first);
done:
    argand_array_destroy(first);
    return status;
}

/* Returns the tolerance that is left for the planes' NUFFT */
static double tolerance_of_plane(const nufft_stack *s)
{
    const double left = s->options.tolerance - stack_error(s);
    return left > 0 ? left : s->options.tolerance;
}

/* All axes, the planes' last */
static argand_status make_planes(nufft_stack *s, argand_array *const k[])
{
    argand_nufft_options o = s->options;
    argand_array *at[3];
    for (int axis = 0; axis < o.rank; axis++) {
        const int from = stack_axis(s, axis);
        at[axis] = k[from];
        o.n[axis] = s->options.n[from];
    }
    o.tolerance = tolerance_of_plane(s);
    o.window_only = true; /* no other axis is looked for */
    TRY(argand_nufft_create(&s->plane, s->device, &o));
    s->plane->planes = true;
    s->plane->chosen_for = 0; /* that choice was for windows on all axes */
    s->plane->choices = (choices){.known = {false}};
    return argand_nufft_set_points(s->plane, at);
}

static argand_status make_plane(nufft_stack *s, argand_array *const k[])
{
    argand_nufft_options o = s->options;
    argand_array *at[3] = {NULL};
    argand_status status = ARGAND_OK;
    if (s->order.differ) return make_planes(s, k);
    o.rank = 0;
    for (int axis = 0; axis < s->options.rank && !status; axis++) {
        if (axis == s->order.axis) continue;
        status = points_of_plane(&at[o.rank], &s->order, k[axis]);
        o.n[o.rank++] = s->options.n[axis];
    }
    o.tolerance = tolerance_of_plane(s);
    if (!status) status = argand_nufft_create(&s->plane, s->device, &o);
    if (!status) status = argand_nufft_set_points(s->plane, at);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(at[axis]);
    return status;
}

static argand_status keep_positions(nufft_stack *s, argand_array *const k[])
{
    for (int axis = 0; axis < s->options.rank; axis++) {
        const int64_t count = argand_array_count(k[axis]);
        TRY(argand_array_create(&s->k[axis], argand_array_device(k[axis]), k[axis]->type, 1, &count));
        const int64_t step = positions_step(k[axis]);
        argand_array *flat;
        TRY(argand_array_view(&flat, k[axis], 1, &count, &step, 0));
        const argand_status status = argand_array_copy(s->k[axis], flat);
        argand_array_destroy(flat);
        TRY(status);
    }
    return ARGAND_OK;
}

/* The transformed image and the planes of it that have points, and what the NUFFT of these wants. */
static argand_status choose_batch(nufft_stack *s)
{
    argand_nufft_info plane;
    argand_nufft_describe(s->plane, &plane);
    if (s->order.differ) {
        s->batch = plane.batch;
        s->vector_bytes = plane.scratch_bytes;
        return ARGAND_OK;
    }
    const int64_t n = s->options.n[s->order.axis],
                  together = plane.batch < s->order.planes ? plane.batch : s->order.planes;
    const size_t number = argand_type_size(s->options.type),
                 images = number * (size_t)(s->pixels + s->pixels / n * s->order.planes + s->points);
    const bool host = device_is_host(s->device);
    s->vector_bytes = images + plane.scratch_bytes * (size_t)together;
    /* hosts have the NUFFT's memory once for all vectors */
    const size_t most = host ? HOST_BYTES : (size_t)device_traits_of(s->device)->memory / 4,
                 fit = most / (host ? images + plane.scratch_bytes : s->vector_bytes);
    s->batch = fit < 1 ? 1 : fit < MOST_VECTORS ? (int64_t)fit : MOST_VECTORS;
    return ARGAND_OK;
}

static argand_status fill(nufft_stack *s, argand_array *const k[])
{
    const stack_fft *fft;
    TRY(keep_positions(s, k));
    TRY(make_plane(s, s->k));
    TRY(choose_batch(s));
    return s->order.differ ? ARGAND_OK : stack_fft_for(&fft, s, 1);
}

argand_status stack_create(nufft_stack **out, const argand_nufft *plan, argand_array *const k[])
{
    bool found;
    nufft_stack *s;
    *out = NULL;
    TRY(NEW(s, 1));
    argand_status status = stack_find(&found, &s->order, plan, k);
    if (status != ARGAND_OK || !found) {
        memory_free(s);
        return status;
    }
    s->device = device_keep(plan->device);
    s->options = plan->options; /* where planes differ the plan of them takes real images */
    if (!s->order.differ) s->options.real_image = false;
    s->points = argand_array_count(k[0]);
    s->pixels = 1;
    for (int axis = 0; axis < s->options.rank; axis++) s->pixels *= s->options.n[axis];
    status = fill(s, k);
    if (status == ARGAND_OK)
        *out = s;
    else
        stack_destroy(s);
    return status == ARGAND_UNSUPPORTED ? ARGAND_OK : status; /* a length that the FFT does not know */
}

/* Returns the options of the FFT from images {x, y, z, vectors} to planes {others, axis, vectors} in the
 * FFT's order */
static argand_fft_options fft_options(const nufft_stack *s, int64_t vectors)
{
    argand_fft_options o = {.type = s->options.type,
                            .rank = 1,
                            .centred = s->options.order == ARGAND_NUFFT_CENTRED,
                            .axes_given = true};
    int64_t in = 1, out = 1;
    for (int axis = 0; axis < s->options.rank; axis++) {
        const int64_t n = s->options.n[axis];
        if (axis == s->order.axis) {
            o.axes[0] = (argand_axis){n, in, s->pixels / n};
        } else {
            o.loop[o.loops++] = (argand_axis){n, in, out};
            out *= n;
        }
        in *= n;
    }
    if (s->order.axis == s->options.rank - 1) { /* the others lie together */
        o.loop[0] = (argand_axis){out, 1, 1};
        o.loops = 1;
    }
    o.loop[o.loops++] = (argand_axis){vectors, s->pixels, s->pixels};
    return o;
}

static void free_fft(stack_fft *f)
{
    argand_fft_destroy(f->to_image);
    argand_fft_destroy(f->to_planes);
    memory_free(f);
}

static argand_status make_fft(stack_fft **out, const nufft_stack *s, int64_t vectors)
{
    argand_fft_options there = fft_options(s, vectors), back;
    stack_fft *f;
    TRY(NEW(f, 1));
    f->vectors = vectors;
    there.wait_for_kernels = s->options.wait_for_kernels;
    argand_status status = argand_fft_create(&f->to_planes, s->device, &there);
    if (!status) status = argand_fft_adjoint(&back, &there);
    if (!status) status = argand_fft_create(&f->to_image, s->device, &back);
    if (status)
        free_fft(f);
    else
        *out = f;
    return status;
}

/* Threads that come at the same time make their own; both are kept. */
argand_status stack_fft_for(const stack_fft **out, const nufft_stack *s, int64_t vectors)
{
    _Atomic(stack_fft *) *first = &((nufft_stack *)s)->ffts;
    stack_fft *made = NULL;
    for (stack_fft *f = atomic_load(first); f; f = f->next)
        if (f->vectors == vectors) {
            *out = f;
            return ARGAND_OK;
        }
    TRY(make_fft(&made, s, vectors));
    made->next = atomic_load(first);
    while (!atomic_compare_exchange_weak(first, &made->next, made)) continue;
    *out = made;
    return ARGAND_OK;
}

argand_status stack_whole(const argand_nufft **whole, const nufft_stack *s)
{
    _Atomic(argand_nufft *) *place = &((nufft_stack *)s)->whole;
    argand_nufft_options options = s->options;
    argand_nufft *made, *none = NULL;
    *whole = atomic_load(place);
    if (*whole) return ARGAND_OK;
    options.window_only = true;
    TRY(argand_nufft_create(&made, s->device, &options));
    const argand_status status = argand_nufft_set_points(made, s->k);
    if (status != ARGAND_OK) {
        argand_nufft_destroy(made);
        return status;
    }
    *whole = made;
    if (!atomic_compare_exchange_strong(place, &none, made)) {
        argand_nufft_destroy(made);
        *whole = none;
    }
    return ARGAND_OK;
}

/* Returns the error of moving positions: along the Cartesian axis to the grid, or on every axis to those
 * of the first plane */
double stack_error(const nufft_stack *s)
{
    return 2 * PI / sqrt(12) * (s->order.differ ? 1 : s->options.rank) * s->order.deviation;
}

int stack_axis(const nufft_stack *s, int axis)
{
    return axis == s->options.rank - 1 ? s->order.axis : axis < s->order.axis ? axis : axis + 1;
}

size_t stack_bytes(const nufft_stack *s)
{
    argand_nufft_info plane, whole = {0};
    argand_nufft_describe(s->plane, &plane);
    argand_nufft_describe(s->whole, &whole);
    return sizeof *s + plane.bytes + whole.bytes +
           (size_t)s->options.rank * (size_t)s->points * argand_type_size(s->k[0]->type) +
           (s->order.slots ? sizeof(int64_t) * (size_t)s->options.n[s->order.axis] : 0);
}

void stack_describe(const nufft_stack *s, argand_nufft_info *info)
{
    argand_nufft_info plane;
    argand_nufft_describe(s->plane, &plane);
    info->expected_error = plane.expected_error + stack_error(s);
    info->batch = (int)s->batch;
    info->cartesian = 1 << s->order.axis;
    for (int bit = 0, axis = 0; axis < s->options.rank; axis++)
        if (axis != s->order.axis && !s->order.differ)
            info->cartesian |= (plane.cartesian >> bit++ & 1) << axis;
}

void stack_print(const nufft_stack *s, char *text, size_t size)
{
    char plane[512];
    argand_nufft_print(s->plane, plane, sizeof plane);
    if (s->order.differ) {
        plain_print(text, size, "(stack along %c, planes that differ, points %lld, %s)", "xyz"[s->order.axis],
                    (long long)s -> points, plane);
        return;
    }
    plain_print(text, size, "(stack along %c, %lld of %lld planes, points %lld, %s)", "xyz"[s->order.axis],
                (long long)s -> order.planes, (long long)s->options.n[s->order.axis], (long long)s->points,
                plane);
}

void stack_destroy(nufft_stack *s)
{
    if (!s) return;
    for (stack_fft *f = s->ffts, *next; f; f = next) {
        next = f->next;
        free_fft(f);
    }
    argand_nufft_destroy(s->whole);
    for (int axis = 2; axis >= 0; axis--) argand_array_destroy(s->k[axis]);
    argand_nufft_destroy(s->plane);
    memory_free(s->order.slots);
    argand_device_close(s->device);
    memory_free(s);
}
