/* SPDX-License-Identifier: BSD-3-Clause */
/* y = d x pointwise. The context is a view of d, which keeps its storage alive. */
#include "op/op.h"

static argand_status apply(void *d, argand_array *y, const argand_array *x)
{
    return argand_array_multiply(y, d, x, ARGAND_PRODUCT);
}

static argand_status adjoint(void *d, argand_array *x, const argand_array *y)
{
    return argand_array_multiply(x, d, y, ARGAND_PRODUCT_CONJ);
}

static argand_status normal(void *d, argand_array *z, const argand_array *x)
{
    TRY(argand_array_multiply(z, d, x, ARGAND_PRODUCT));
    return argand_array_multiply(z, d, z, ARGAND_PRODUCT_CONJ);
}

static void destroy(void *d)
{
    argand_array_destroy(d);
}

static argand_status same_view(argand_array **view, const argand_array *d, const argand_shape *shape)
{
    int64_t strides[ARGAND_MAX_RANK];
    for (int axis = 0; axis < shape->rank; axis++) strides[axis] = argand_array_stride(d, axis);
    return argand_array_view(view, d, shape->rank, shape->dims, strides, 0);
}

argand_status argand_op_diagonal(argand_op **op, const argand_array *d)
{
    if (op) *op = NULL;
    CHECK(op && d, ARGAND_ARGUMENT, "argand_op_diagonal: a pointer is NULL");
    argand_shape shape = shape_of(d);
    argand_array *view;
    TRY(same_view(&view, d, &shape));
    shape.type = shape.type == ARGAND_R64 || shape.type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
    const argand_op_definition definition = {.name = "diagonal",
                                             .domain = shape,
                                             .range = shape,
                                             .apply = apply,
                                             .adjoint = adjoint,
                                             .normal = normal,
                                             .destroy = destroy,
                                             .context = view};
    const argand_status status = argand_op_create(op, argand_array_device(d), &definition);
    if (status != ARGAND_OK) argand_array_destroy(view);
    return status;
}
