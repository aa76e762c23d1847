/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators a^H and a^H a. The context is the operator a, to which they hold a reference. */
#include "op/op.h"

static argand_status forward(void *a, argand_array *y, const argand_array *x)
{
    return argand_op_apply(a, y, x);
}

static argand_status backward(void *a, argand_array *x, const argand_array *y)
{
    return argand_op_adjoint(a, x, y);
}

static argand_status both(void *a, argand_array *z, const argand_array *x)
{
    return argand_op_normal(a, z, x);
}

argand_status argand_op_adjoint_of(argand_op **op, argand_op *a)
{
    if (op) *op = NULL;
    CHECK(op && a, ARGAND_ARGUMENT, "argand_op_adjoint_of: a pointer is NULL");
    const argand_op_definition definition = {.name = "adjoint",
                                             .domain = *argand_op_range(a),
                                             .range = *argand_op_domain(a),
                                             .apply = backward,
                                             .adjoint = forward,
                                             .context = a};
    TRY(op_compose(op, &definition, a, NULL));
    (*op)->domain_spread = a->spread;
    (*op)->spread = a->domain_spread;
    return ARGAND_OK;
}

argand_status argand_op_normal_of(argand_op **op, argand_op *a)
{
    if (op) *op = NULL;
    CHECK(op && a, ARGAND_ARGUMENT, "argand_op_normal_of: a pointer is NULL");
    const argand_op_definition definition = {.name = "normal",
                                             .domain = *argand_op_domain(a),
                                             .range = *argand_op_domain(a),
                                             .apply = both,
                                             .adjoint = both,
                                             .context = a};
    TRY(op_compose(op, &definition, a, NULL));
    (*op)->domain_spread = (*op)->spread = a->domain_spread;
    return ARGAND_OK;
}
