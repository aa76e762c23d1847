/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum of two operators with equal domains and ranges. */
#include "op/spread.h"

#include "base/memory.h"

typedef struct sum {
    const argand_op *self, *a, *b;
} sum;

static const argand_scalar one = {1, 0};

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const sum *s = context;
    argand_array *second;
    TRY(op_scratch(s->self, OP_MIDDLE, argand_op_range(s->self), &second));
    TRY(argand_op_apply(s->a, y, x));
    TRY(argand_op_apply(s->b, second, x));
    return argand_array_axpby(y, one, second, one);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const sum *s = context;
    argand_array *second;
    TRY(op_scratch(s->self, OP_MIDDLE_NORMAL, argand_op_domain(s->self), &second));
    TRY(argand_op_adjoint(s->a, x, y));
    TRY(argand_op_adjoint(s->b, second, y));
    return argand_array_axpby(x, one, second, one);
}

static bool same_places(const op_spread *a, const op_spread *b)
{
    return a == b || (a && b && a->place.whole == b->place.whole && a->place.count == b->place.count &&
                      a->place.first == b->place.first && a->place.run == b->place.run &&
                      a->place.stride == b->place.stride);
}

static argand_status check_parts(const argand_op *a, const argand_op *b)
{
    CHECK(a && b, ARGAND_ARGUMENT, "argand_op_sum: an operator is NULL");
    CHECK(a->device == b->device, ARGAND_ARGUMENT,
          "argand_op_sum: \"%s\" and \"%s\" live on different devices", a->name, b->name);
    CHECK(shape_equal(argand_op_domain(a), argand_op_domain(b)), ARGAND_ARGUMENT,
          "argand_op_sum: \"%s\" takes %s, but \"%s\" takes %s", a->name,
          shape_printed(argand_op_domain(a)).chars, b->name, shape_printed(argand_op_domain(b)).chars);
    CHECK(shape_equal(argand_op_range(a), argand_op_range(b)), ARGAND_ARGUMENT,
          "argand_op_sum: \"%s\" gives %s, but \"%s\" gives %s", a->name,
          shape_printed(argand_op_range(a)).chars, b->name, shape_printed(argand_op_range(b)).chars);
    CHECK(same_places(a->spread, b->spread) && same_places(a->domain_spread, b->domain_spread),
          ARGAND_UNSUPPORTED,
          "argand_op_sum: \"%s\" and \"%s\" spread their data differently over ranks; apply argand_op_across "
          "to their sum",
          a->name, b->name);
    return ARGAND_OK;
}

argand_status argand_op_sum(argand_op **op, argand_op *a, argand_op *b)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_sum: no place for the operator");
    *op = NULL;
    TRY(check_parts(a, b));
    sum *s;
    TRY(NEW(s, 1));
    const argand_op_definition definition = {.name = "sum",
                                             .domain = *argand_op_domain(a),
                                             .range = *argand_op_range(a),
                                             .apply = apply,
                                             .adjoint = adjoint,
                                             .destroy = memory_free,
                                             .context = s};
    const argand_status status = op_compose(op, &definition, a, b);
    if (status != ARGAND_OK) {
        memory_free(s);
        return status;
    }
    *s = (sum){*op, a, b};
    (*op)->domain_spread = a->domain_spread;
    (*op)->spread = a->spread;
    return ARGAND_OK;
}
