/* SPDX-License-Identifier: BSD-3-Clause */
/* First differences along one axis, inside the image:
 *
 *   y_0 = 0,  y_n = x_n - x_(n-1);   adjoint x_n = y_n [n > 0] - y_(n+1) [n + 1 < N]
 *
 * Both are computed with views: "low" is elements 0 .. N-2 of the axis, "high" is 1 .. N-1. */
#include "op/op.h"

#include "base/memory.h"

typedef struct difference {
    int axis;
    int64_t n;
} difference;

static const argand_scalar zero = {0, 0}, one = {1, 0}, minus_one = {-1, 0};

/* Views of the output and of the input. */
typedef struct parts {
    argand_array *out_first, *out_high, *out_low, *in_low, *in_high;
} parts;

static void parts_release(parts *p)
{
    argand_array_destroy(p->in_high);
    argand_array_destroy(p->in_low);
    argand_array_destroy(p->out_low);
    argand_array_destroy(p->out_high);
    argand_array_destroy(p->out_first);
}

static argand_status parts_make(parts *p, const difference *d, argand_array *out, const argand_array *in)
{
    TRY(argand_array_part(&p->out_first, out, d->axis, 0, 1));
    TRY(argand_array_part(&p->out_high, out, d->axis, 1, d->n - 1));
    TRY(argand_array_part(&p->out_low, out, d->axis, 0, d->n - 1));
    TRY(argand_array_part(&p->in_low, in, d->axis, 0, d->n - 1));
    return argand_array_part(&p->in_high, in, d->axis, 1, d->n - 1);
}

/* out = in with a first element of 0; then subtracts in_part from out_part. */
static argand_status subtract(const parts *p, argand_array *out_part, const argand_array *in_part)
{
    TRY(argand_array_fill(p->out_first, zero));
    TRY(argand_array_copy(p->out_high, p->in_high));
    return argand_array_axpby(out_part, minus_one, in_part, one);
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const difference *d = context;
    if (d->n == 1) return argand_array_fill(y, zero);
    parts p = {0};
    argand_status status = parts_make(&p, d, y, x);
    if (status == ARGAND_OK) status = subtract(&p, p.out_high, p.in_low);
    parts_release(&p);
    return status;
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const difference *d = context;
    if (d->n == 1) return argand_array_fill(x, zero);
    parts p = {0};
    argand_status status = parts_make(&p, d, x, y);
    if (status == ARGAND_OK) status = subtract(&p, p.out_low, p.in_high);
    parts_release(&p);
    return status;
}

argand_status argand_op_difference(argand_op **op, argand_device *device, const argand_shape *shape, int axis)
{
    if (op) *op = NULL;
    CHECK(op && shape, ARGAND_ARGUMENT, "argand_op_difference: a pointer is NULL");
    TRY(shape_check(shape, "shape"));
    CHECK(axis >= 0 && axis < shape->rank, ARGAND_ARGUMENT,
          "argand_op_difference: axis %d of an image of rank %d", axis, shape->rank);
    difference *d;
    TRY(NEW(d, 1));
    *d = (difference){axis, shape->dims[axis]};
    const argand_op_definition definition = {.name = "difference",
                                             .domain = *shape,
                                             .range = *shape,
                                             .apply = apply,
                                             .adjoint = adjoint,
                                             .destroy = memory_free,
                                             .context = d};
    const argand_status status = argand_op_create(op, device, &definition);
    if (status != ARGAND_OK) memory_free(d);
    return status;
}
