/* SPDX-License-Identifier: BSD-3-Clause */
/* The operator 0: the part of a rank without data (dist/op/across.c). */
#include "op/op.h"

static argand_status to_zero(void *context, argand_array *to, const argand_array *from)
{
    (void)context, (void)from;
    return argand_array_fill(to, (argand_scalar){0, 0});
}

argand_status op_zero(argand_op **op, argand_device *device, const argand_shape *domain,
                      const argand_shape *range)
{
    const argand_op_definition definition = {
        .name = "zero", .domain = *domain, .range = *range, .apply = to_zero, .adjoint = to_zero};
    return argand_op_create(op, device, &definition);
}
