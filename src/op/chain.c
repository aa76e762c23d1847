/* SPDX-License-Identifier: BSD-3-Clause */
/* The product of two operators: A = outer inner, A^H = inner^H outer^H. */
#include "op/op.h"

#include "base/memory.h"

/* self is set after the operator is created. */
typedef struct chain {
    const argand_op *self, *outer, *inner;
} chain;

static argand_status middle_of(const chain *c, argand_array **middle)
{
    return op_scratch(c->self, OP_MIDDLE, argand_op_range(c->inner), middle);
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const chain *c = context;
    argand_array *middle;
    TRY(middle_of(c, &middle));
    TRY(argand_op_apply(c->inner, middle, x));
    return argand_op_apply(c->outer, y, middle);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const chain *c = context;
    argand_array *middle;
    TRY(middle_of(c, &middle));
    TRY(argand_op_adjoint(c->outer, middle, y));
    return argand_op_adjoint(c->inner, x, middle);
}

/* Computes inner^H (outer^H outer) inner, so that a fast normal operator of `outer` is used. */
static argand_status normal(void *context, argand_array *z, const argand_array *x)
{
    const chain *c = context;
    argand_array *middle, *normal_of_middle;
    TRY(middle_of(c, &middle));
    TRY(op_scratch(c->self, OP_MIDDLE_NORMAL, argand_op_range(c->inner), &normal_of_middle));
    TRY(argand_op_apply(c->inner, middle, x));
    TRY(argand_op_normal(c->outer, normal_of_middle, middle));
    return argand_op_adjoint(c->inner, z, normal_of_middle);
}

static argand_status check_parts(const argand_op *outer, const argand_op *inner)
{
    CHECK(outer && inner, ARGAND_ARGUMENT, "argand_op_chain: an operator is NULL");
    CHECK(outer->device == inner->device, ARGAND_ARGUMENT,
          "argand_op_chain: \"%s\" and \"%s\" live on different devices", outer->name, inner->name);
    CHECK(shape_equal(argand_op_domain(outer), argand_op_range(inner)), ARGAND_ARGUMENT,
          "argand_op_chain: \"%s\" gives %s, but \"%s\" takes %s", inner->name,
          shape_printed(argand_op_range(inner)).chars, outer->name,
          shape_printed(argand_op_domain(outer)).chars);
    return ARGAND_OK;
}

/* Operators without a spread side work on each rank's elements, and keep their places. */
static argand_status check_spread(const argand_op *outer, const argand_op *inner)
{
    const bool outer_local = !outer->domain_spread && !outer->spread,
               inner_local = !inner->domain_spread && !inner->spread;
    const bool keeps_places =
        (outer_local && (!inner->spread || shape_equal(argand_op_domain(outer), argand_op_range(outer)))) ||
        (inner_local &&
         (!outer->domain_spread || shape_equal(argand_op_domain(inner), argand_op_range(inner))));
    CHECK(keeps_places || outer->domain_spread == inner->spread, ARGAND_UNSUPPORTED,
          "argand_op_chain: the data between \"%s\" and \"%s\" are spread over ranks for one of them only; "
          "apply argand_op_across to the whole chain",
          outer->name, inner->name);
    return ARGAND_OK;
}

/* Sides of the chain are spread as those of its parts. */
static void take_spread(argand_op *op, const argand_op *outer, const argand_op *inner)
{
    const bool outer_local = !outer->domain_spread && !outer->spread,
               inner_local = !inner->domain_spread && !inner->spread;
    op->spread = outer_local ? inner->spread : outer->spread;
    op->domain_spread = inner_local ? outer->domain_spread : inner->domain_spread;
}

argand_status argand_op_chain(argand_op **op, argand_op *outer, argand_op *inner)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_chain: no place for the operator");
    *op = NULL;
    TRY(check_parts(outer, inner));
    TRY(check_spread(outer, inner));
    chain *c;
    TRY(NEW(c, 1));
    const argand_op_definition definition = {.name = "chain",
                                             .domain = *argand_op_domain(inner),
                                             .range = *argand_op_range(outer),
                                             .apply = apply,
                                             .adjoint = adjoint,
                                             .normal = normal,
                                             .destroy = memory_free,
                                             .context = c};
    const argand_status status = op_compose(op, &definition, outer, inner);
    if (status != ARGAND_OK) {
        memory_free(c);
        return status;
    }
    *c = (chain){*op, outer, inner};
    take_spread(*op, outer, inner);
    return ARGAND_OK;
}
