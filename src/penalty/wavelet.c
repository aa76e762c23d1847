/* SPDX-License-Identifier: BSD-3-Clause */
/* Orthogonal wavelet transforms by filtering pairs of elements, axis by axis and level by level (Mallat, IEEE
 * Trans. Pattern Anal. 11:674, 1989); filters of Daubechies, Comm. Pure Appl. Math. 41:909, 1988. */
#include "penalty/penalty.h"

#include <math.h>
#include "array/layout.h"
#include "base/memory.h"
#include "kernels/penalty/params.h"

static void set_filters(wavelet_plan *w, argand_wavelet kind)
{
    const double r = sqrt(0.5), q = sqrt(3), s = 1 / (4 * sqrt(2));
    const double low[4] = {(1 + q) * s, (3 + q) * s, (3 - q) * s, (1 - q) * s};
    if (kind == ARGAND_HAAR) {
        w->low[0] = w->low[1] = w->high[0] = r;
        w->high[1] = -r;
        w->least = 4;
        return;
    }
    for (int i = 0; i < 4; i++) {
        w->low[i] = low[i];
        w->high[i] = i % 2 ? -low[3 - i] : low[3 - i];
    }
    w->least = 8;
}

static bool takes_part(const wavelet_plan *w, int level, int axis)
{
    return w->box[level][axis] >= w->least && w->box[level + 1][axis] < w->box[level][axis];
}

argand_status wavelet_plan_make(wavelet_plan *w, const argand_shape *shape, int space, argand_wavelet kind,
                                int levels)
{
    *w = (wavelet_plan){.n = {1, 1, 1}, .batch = 1, .width = penalty_width(shape->type)};
    set_filters(w, kind);
    for (int axis = 0; axis < shape->rank; axis++) {
        if (axis < space)
            w->n[axis] = shape->dims[axis];
        else
            w->batch *= shape->dims[axis];
    }
    for (int axis = 0; axis < 3; axis++) w->box[0][axis] = w->n[axis];
    for (bool more = true; more && w->levels < (levels ? levels : 4);) {
        const int64_t *box = w->box[w->levels];
        more = false;
        for (int axis = 0; axis < 3; axis++) {
            const bool halved = axis < space && box[axis] >= w->least;
            w->box[w->levels + 1][axis] = halved ? (box[axis] + 1) / 2 : box[axis];
            more = more || halved;
        }
        w->levels += more;
    }
    return ARGAND_OK;
}

/* Returns a view of a level's block in an array, including the batch. */
static argand_status box_view(const wavelet_plan *w, int level, argand_array **view, const argand_array *x)
{
    const int64_t *box = w->box[level];
    return argand_array_view(view, x, 4, (int64_t[]){box[0], box[1], box[2], w->batch},
                             (int64_t[]){1, w->n[0], w->n[0] * w->n[1], w->n[0] * w->n[1] * w->n[2]}, 0);
}

argand_status wavelet_coarse(const wavelet_plan *w, argand_array **view, const argand_array *coefficients)
{
    return box_view(w, w->levels, view, coefficients);
}

static argand_status copy_box(const wavelet_plan *w, int level, argand_array *to, const argand_array *from)
{
    argand_array *a = NULL, *b = NULL;
    argand_status status;
    TRY_OR_DONE(box_view(w, level, &a, to));
    TRY_OR_DONE(box_view(w, level, &b, from));
    status = argand_array_copy(a, b);
done:
    argand_array_destroy(b);
    argand_array_destroy(a);
    return status;
}

static struct wavelet_params params_of(const wavelet_plan *w, int level, int axis, bool inverse)
{
    const int64_t *box = w->box[level], width = w->width;
    const int64_t stride[4] = {width, width * w->n[0], width * w->n[0] * w->n[1],
                               width * w->n[0] * w->n[1] * w->n[2]};
    struct wavelet_params p = {.n = box[axis],
                               .stride = stride[axis],
                               .inner = axis == 0 ? box[0] / 2 : box[0] * width,
                               .pairs = axis == 0 ? 1 : (box[axis] + 1) / 2,
                               .count = {1, 1},
                               .width = (int)width,
                               .first_axis = axis == 0,
                               .inverse = inverse};
    int further = 0;
    p.rows = p.pairs * w->batch;
    for (int other = 1; other < 3; other++) {
        if (other == axis) continue;
        p.count[further] = box[other];
        p.step[further++] = stride[other];
        p.rows *= box[other];
    }
    if (further < 2) p.count[1] = w->batch;
    p.step[further] = stride[3];
    for (int i = 0; i < 4; i++) {
        p.low[i] = layout_scalar(w->low[i], 0);
        p.high[i] = layout_scalar(w->high[i], 0);
    }
    p.lanes = penalty_lanes(p.inner);
    return p;
}

static argand_status filter(const wavelet_plan *w, int level, int axis, bool inverse, argand_array *y,
                            const argand_array *x)
{
    struct wavelet_params p = params_of(w, level, axis, inverse);
    const int64_t share = penalty_share(x), row = axis == 0 ? 2 * p.inner * p.width : 2 * p.inner;
    storage *const memory[2] = {y->storage, x->storage};
    p.row_block = share > row && row > 0 ? share / row : 1;
    p.in = x->offset * w->width;
    p.out = y->offset * w->width;
    const penalty_launch launch = {"wavelet", x->type, penalty_groups(p.rows, p.row_block), memory, 2,
                                   &p,        sizeof p};
    return penalty_start(argand_array_device(x), &launch);
}

/* Transforms all axes of a level, alternating between y and work, so that the result is in y. */
static argand_status level_run(const wavelet_plan *w, int level, bool inverse, argand_array *y,
                               argand_array *work)
{
    argand_array *from = y, *to = work;
    for (int i = 0; i < 3; i++) {
        const int axis = inverse ? 2 - i : i;
        if (!takes_part(w, level, axis)) continue;
        TRY(filter(w, level, axis, inverse, to, from));
        argand_array *const last = from;
        from = to;
        to = last;
    }
    return from == y ? ARGAND_OK : copy_box(w, level, y, work);
}

static argand_status run(const wavelet_plan *w, bool inverse, argand_array *y, const argand_array *x)
{
    argand_array *work;
    TRY(argand_array_copy(y, x));
    TRY(array_scratch(&work, argand_array_device(x), x->type, x->rank, x->dims));
    argand_status status = ARGAND_OK;
    for (int i = 0; i < w->levels && status == ARGAND_OK; i++)
        status = level_run(w, inverse ? w->levels - 1 - i : i, inverse, y, work);
    argand_array_destroy(work);
    return status;
}

argand_status wavelet_forward(const wavelet_plan *w, argand_array *y, const argand_array *x)
{
    return run(w, false, y, x);
}

argand_status wavelet_inverse(const wavelet_plan *w, argand_array *y, const argand_array *x)
{
    return run(w, true, y, x);
}

static argand_status apply(void *w, argand_array *y, const argand_array *x)
{
    return wavelet_forward(w, y, x);
}

static argand_status adjoint(void *w, argand_array *x, const argand_array *y)
{
    return wavelet_inverse(w, x, y);
}

argand_status argand_op_wavelet(argand_op **op, argand_device *device, const argand_shape *shape, int space,
                                argand_wavelet kind, int levels)
{
    if (op) *op = NULL;
    CHECK(op && shape, ARGAND_ARGUMENT, "argand_op_wavelet: a pointer is NULL");
    const argand_regularizer r = {.kind = ARGAND_WAVELET, .wavelet = kind, .levels = levels};
    TRY(regularizer_check(&r, shape, space));
    wavelet_plan *w;
    TRY(NEW(w, 1));
    argand_status status = wavelet_plan_make(w, shape, space, kind, levels);
    const argand_op_definition d = {.name = "wavelet",
                                    .domain = *shape,
                                    .range = *shape,
                                    .apply = apply,
                                    .adjoint = adjoint,
                                    .destroy = memory_free,
                                    .context = w};
    if (status == ARGAND_OK) status = argand_op_create(op, device, &d);
    if (status != ARGAND_OK) memory_free(w);
    return status;
}
