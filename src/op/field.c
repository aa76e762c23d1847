/* SPDX-License-Identifier: BSD-3-Clause */
/* The field-corrected DFT as an operator. */
#include "op/transform.h"

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    return argand_field_apply(context, y, x);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    return argand_field_adjoint(context, x, y);
}

static void destroy(void *context)
{
    argand_field_destroy(context);
}

argand_status argand_op_field(argand_op **op, argand_device *device, argand_field *plan, int64_t vectors)
{
    argand_field_info info;
    if (op) *op = NULL;
    CHECK(plan, ARGAND_ARGUMENT, "argand_op_field: no plan");
    argand_field_describe(plan, &info);
    const transform t = {.name = "field",
                         .type = info.type,
                         .image = info.type,
                         .rank = info.rank,
                         .n = info.n,
                         .samples = info.samples,
                         .apply = apply,
                         .adjoint = adjoint,
                         .destroy = destroy,
                         .plan = plan};
    return transform_op(op, device, &t, vectors);
}
