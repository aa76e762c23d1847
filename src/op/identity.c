/* SPDX-License-Identifier: BSD-3-Clause */
/* The identity. */
#include "op/op.h"

static argand_status copy(void *context, argand_array *y, const argand_array *x)
{
    (void)context;
    return argand_array_copy(y, x);
}

argand_status argand_op_identity(argand_op **op, argand_device *device, const argand_shape *shape)
{
    if (op) *op = NULL;
    CHECK(op && shape, ARGAND_ARGUMENT, "argand_op_identity: a pointer is NULL");
    const argand_op_definition definition = {.name = "identity",
                                             .domain = *shape,
                                             .range = *shape,
                                             .apply = copy,
                                             .adjoint = copy,
                                             .normal = copy};
    return argand_op_create(op, device, &definition);
}
