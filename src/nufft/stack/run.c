/* SPDX-License-Identifier: BSD-3-Clause */
/* The transform with a Cartesian axis: both directions are the same steps. */
#include "nufft/stack.h"

#include "array/array.h"

/* One call: contiguous images and samples, and `vectors` vectors at a time. */
typedef struct stack_call {
    const nufft_stack *s;
    bool adjoint;
    argand_array *image, *samples;
    int64_t first, vectors;
    argand_array *planes; /* {others, axis, vectors}, in the FFT's order */
} stack_call;

static int64_t plane_pixels(const nufft_stack *s)
{
    return s->pixels / s->options.n[s->order.axis];
}

/* Slots at equal distances from `from` on */
static int64_t count_alike(const stack_order *o, int64_t from, int64_t *step)
{
    int64_t count = 1;
    *step = 1;
    if (from + 1 < o->planes) *step = o->slots[from + 1] - o->slots[from];
    if (*step < 1) { /* strides are not negative */
        *step = 1;
        return 1;
    }
    while (from + count < o->planes && o->slots[from + count] - o->slots[from + count - 1] == *step) count++;
    return count;
}

static bool has_all_planes(const nufft_stack *s)
{
    int64_t step;
    return s->order.planes == s->options.n[s->order.axis] && s->order.slots[0] == 0 &&
           count_alike(&s->order, 0, &step) == s->order.planes && step == 1;
}

/* Some planes, between their places among all of them and among those with points. */
static argand_status move_planes(const stack_call *c, argand_array *used, int64_t from, int64_t count,
                                 int64_t step)
{
    const nufft_stack *s = c->s;
    const int64_t n = plane_pixels(s), dims[3] = {n, count, c->vectors};
    argand_array *among_all = NULL, *among_used = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_view(&among_all, c->planes, 3, dims, (int64_t[]){1, step * n, s->pixels},
                                  s->order.slots[from] * n));
    TRY_OR_DONE(
        argand_array_view(&among_used, used, 3, dims, (int64_t[]){1, n, s->order.planes * n}, from * n));
    status = c->adjoint ? argand_array_copy(among_all, among_used) : argand_array_copy(among_used, among_all);
done:
    argand_array_destroy(among_used);
    argand_array_destroy(among_all);
    return status;
}

static argand_status move_all_planes(const stack_call *c, argand_array *used)
{
    if (c->adjoint) TRY(argand_array_fill(c->planes, (argand_scalar){0, 0}));
    for (int64_t from = 0, step, count; from < c->s->order.planes; from += count) {
        count = count_alike(&c->s->order, from, &step);
        TRY(move_planes(c, used, from, count, step));
    }
    return ARGAND_OK;
}

/* The samples of these vectors as the NUFFT of planes takes them, {run, shots, planes, vectors}: where shots
 * lie between the planes they are sorted. */
static argand_status nufft_of_planes(const stack_call *c, argand_array *images)
{
    const stack_order *o = &c->s->order;
    const int64_t round = o->run * o->planes, dims[4] = {o->run, o->shots, o->planes, c->vectors},
                  each[2] = {o->run * o->shots, o->planes * c->vectors};
    argand_array *mine = NULL, *sorted = NULL, *vectors = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_view(&mine, c->samples, 4, dims, (int64_t[]){1, round, o->run, c->s->points},
                                  c->first * c->s->points));
    if (o->shots == 1) {
        TRY_OR_DONE(argand_array_view(&vectors, mine, 2, each, (int64_t[]){1, o->run}, 0));
    } else {
        TRY_OR_DONE(array_scratch(&sorted, c->s->device, mine->type, 4, dims));
        TRY_OR_DONE(argand_array_reshape(&vectors, sorted, 2, each));
    }
    if (c->adjoint && sorted) TRY_OR_DONE(argand_array_copy(sorted, mine));
    TRY_OR_DONE(c->adjoint ? argand_nufft_adjoint(c->s->plane, images, vectors)
                           : argand_nufft_apply(c->s->plane, vectors, images));
    if (!c->adjoint && sorted) status = argand_array_copy(mine, sorted);
done:
    argand_array_destroy(vectors);
    argand_array_destroy(sorted);
    argand_array_destroy(mine);
    return status;
}

/* An array of planes with the shape of the NUFFT's images */
static argand_status as_images(argand_array **images, const stack_call *c, const argand_array *planes)
{
    int64_t dims[3];
    int rank = 0;
    for (int axis = 0; axis < c->s->options.rank; axis++)
        if (axis != c->s->order.axis) dims[rank++] = c->s->options.n[axis];
    dims[rank++] = c->s->order.planes * c->vectors;
    return argand_array_reshape(images, planes, rank, dims);
}

/* Between all planes and samples. */
static argand_status between(const stack_call *c)
{
    const int64_t count = plane_pixels(c->s) * c->s->order.planes * c->vectors;
    argand_array *used = NULL, *images = NULL;
    argand_status status;
    if (has_all_planes(c->s)) {
        TRY_OR_DONE(as_images(&images, c, c->planes));
        status = nufft_of_planes(c, images);
    } else {
        TRY_OR_DONE(array_scratch(&used, c->s->device, c->planes->type, 1, &count));
        TRY_OR_DONE(as_images(&images, c, used));
        if (!c->adjoint) TRY_OR_DONE(move_all_planes(c, used));
        TRY_OR_DONE(nufft_of_planes(c, images));
        if (c->adjoint) status = move_all_planes(c, used);
    }
done:
    argand_array_destroy(images);
    argand_array_destroy(used);
    return status;
}

static argand_status run_vectors(stack_call *c)
{
    const nufft_stack *s = c->s;
    const int64_t count = s->pixels * c->vectors, stride = 1;
    const stack_fft *fft;
    argand_array *image = NULL;
    argand_status status;
    TRY(stack_fft_for(&fft, s, c->vectors));
    TRY_OR_DONE(argand_array_view(&image, c->image, 1, &count, &stride, c->first * s->pixels));
    TRY_OR_DONE(array_scratch(&c->planes, s->device, image->type, 1, &count));
    if (!c->adjoint) TRY_OR_DONE(argand_fft_apply(fft->to_planes, c->planes, image, ARGAND_FORWARD));
    TRY_OR_DONE(between(c));
    if (c->adjoint) status = argand_fft_apply(fft->to_image, image, c->planes, ARGAND_INVERSE);
done:
    argand_array_destroy(c->planes);
    c->planes = NULL;
    argand_array_destroy(image);
    return status;
}

/* Equal shares of at most the batch; where memory is too little for them, smaller ones. */
static argand_status run_all(stack_call *c, int64_t vectors)
{
    int64_t most = c->s->batch;
    for (c->first = 0; c->first < vectors;) {
        const int64_t left = vectors - c->first, shares = (left + most - 1) / most;
        c->vectors = (left + shares - 1) / shares;
        const argand_status status = run_vectors(c);
        if (status == ARGAND_MEMORY && c->vectors > 1) {
            most = c->vectors / 2;
            continue;
        }
        TRY(status);
        c->first += c->vectors;
    }
    return ARGAND_OK;
}

static argand_status take(argand_array **to, const argand_array *array, bool is_input)
{
    if (argand_array_is_contiguous(array))
        return argand_array_view(to, array, array->rank, array->dims, array->strides, 0);
    TRY(array_scratch(to, argand_array_device(array), array->type, array->rank, array->dims));
    return is_input ? argand_array_copy(*to, array) : ARGAND_OK;
}

/* The image with the axis of planes last */
static argand_status axis_last(argand_array **view, const nufft_stack *s, const argand_array *image)
{
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
    const int rank = image->rank > s->options.rank ? image->rank : s->options.rank;
    for (int axis = 0; axis < rank; axis++) {
        const int from = axis < s->options.rank ? stack_axis(s, axis) : axis;
        dims[axis] = argand_array_dim(image, from);
        strides[axis] = dims[axis] == 1 ? 1 : argand_array_stride(image, from);
    }
    return argand_array_view(view, image, rank, dims, strides, 0);
}

static argand_status run_differing(const nufft_stack *s, bool adjoint, argand_array *out,
                                   const argand_array *in)
{
    argand_array *image;
    TRY(axis_last(&image, s, adjoint ? out : in));
    const argand_status status =
        adjoint ? argand_nufft_adjoint(s->plane, image, in) : argand_nufft_apply(s->plane, out, image);
    argand_array_destroy(image);
    return status;
}

argand_status stack_run(const nufft_stack *s, bool adjoint, argand_array *out, const argand_array *in)
{
    if (s->order.differ) return run_differing(s, adjoint, out, in);
    stack_call c = {.s = s, .adjoint = adjoint};
    argand_array **to = adjoint ? &c.image : &c.samples;
    argand_status status;
    TRY_OR_DONE(take(adjoint ? &c.samples : &c.image, in, true));
    TRY_OR_DONE(take(to, out, false));
    TRY_OR_DONE(run_all(&c, argand_array_count(in) / (adjoint ? s->points : s->pixels)));
    if (!argand_array_is_contiguous(out)) status = argand_array_copy(out, *to);
done:
    argand_array_destroy(c.samples);
    argand_array_destroy(c.image);
    return status;
}
