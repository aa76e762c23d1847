/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator times a number. */
#include "op/op.h"

#include <math.h>
#include "base/memory.h"

typedef struct scaled {
    argand_scalar factor;
    const argand_op *a;
} scaled;

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const scaled *s = context;
    TRY(argand_op_apply(s->a, y, x));
    return argand_array_scale(y, s->factor);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const scaled *s = context;
    TRY(argand_op_adjoint(s->a, x, y));
    return argand_array_scale(x, (argand_scalar){s->factor.re, -s->factor.im});
}

static argand_status normal(void *context, argand_array *z, const argand_array *x)
{
    const scaled *s = context;
    TRY(argand_op_normal(s->a, z, x));
    return argand_array_scale(z,
                              (argand_scalar){s->factor.re * s->factor.re + s->factor.im * s->factor.im, 0});
}

static argand_status check(argand_scalar factor, const argand_op *a)
{
    CHECK(a, ARGAND_ARGUMENT, "argand_op_scale: no operator");
    CHECK(isfinite(factor.re) && isfinite(factor.im), ARGAND_ARGUMENT,
          "argand_op_scale: factor %g + %g i is not finite", factor.re, factor.im);
    const bool complex_ends =
        type_is_complex(argand_op_domain(a)->type) && type_is_complex(argand_op_range(a)->type);
    CHECK(factor.im == 0 || complex_ends, ARGAND_ARGUMENT,
          "argand_op_scale: \"%s\" has a real side, so the factor's imaginary part must be 0, not %g",
          a->name, factor.im);
    return ARGAND_OK;
}

argand_status argand_op_scale(argand_op **op, argand_scalar factor, argand_op *a)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_scale: no place for the operator");
    *op = NULL;
    TRY(check(factor, a));
    scaled *s;
    TRY(NEW(s, 1));
    *s = (scaled){factor, a};
    const argand_op_definition definition = {.name = "scale",
                                             .domain = *argand_op_domain(a),
                                             .range = *argand_op_range(a),
                                             .apply = apply,
                                             .adjoint = adjoint,
                                             .normal = normal,
                                             .destroy = memory_free,
                                             .context = s};
    const argand_status status = op_compose(op, &definition, a, NULL);
    if (status != ARGAND_OK) {
        memory_free(s);
        return status;
    }
    (*op)->domain_spread = a->domain_spread;
    (*op)->spread = a->spread;
    return ARGAND_OK;
}
