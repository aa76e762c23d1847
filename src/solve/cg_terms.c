/* SPDX-License-Identifier: BSD-3-Clause */
/* One quadratic term of the objective of CG: its residual, energy and gradient. */
#include "solve/cg.h"

static const argand_scalar one = {1, 0};

static argand_status new_like(argand_array **array, const argand_op *op, const argand_shape *shape)
{
    return argand_array_create(array, argand_op_device(op), shape->type, shape->rank, shape->dims);
}

argand_status cg_term_make(cg_term *term, const argand_op *op, double scale, const argand_array *weights)
{
    *term = (cg_term){.op = op, .scale = scale, .weights = weights};
    const argand_shape *range = argand_op_range(op);
    TRY(new_like(&term->residual, op, range));
    TRY(new_like(&term->step, op, range));
    return weights ? new_like(&term->weighted, op, range) : ARGAND_OK;
}

void cg_term_release(cg_term *term)
{
    argand_array_destroy(term->weighted);
    argand_array_destroy(term->step);
    argand_array_destroy(term->residual);
}

/* numbers[at] (+)= factor <v, W v> */
static argand_status energy(cg_term *term, double factor, const argand_array *v, argand_array *numbers,
                            int at, bool add)
{
    if (term->weights) TRY(argand_array_multiply(term->weighted, term->weights, v, ARGAND_PRODUCT));
    return scalars_dot(numbers, at, factor, v, term->weights ? term->weighted : v, add);
}

argand_status cg_term_step(cg_term *term, const argand_array *p, argand_array *numbers, int at, bool add)
{
    TRY(argand_op_apply(term->op, term->step, p));
    return energy(term, term->scale, term->step, numbers, at, add);
}

argand_status cg_term_subtract(cg_term *term)
{
    return argand_array_axpby(term->residual, (argand_scalar){-1, 0}, term->step, one);
}

argand_status cg_term_advance(cg_term *term, const argand_array *numbers, int above, int below)
{
    return scalars_add_ratio(term->residual, -1, numbers, above, below, term->step);
}

argand_status cg_term_energy(cg_term *term, double factor, argand_array *numbers, int at, bool add)
{
    return energy(term, factor, term->residual, numbers, at, add);
}

argand_status cg_term_gradient(const cg_term *term, argand_array *s, argand_array *work, bool first)
{
    const argand_array *r = term->weights ? term->weighted : term->residual;
    if (first) return argand_op_adjoint(term->op, s, r); /* the data: scale 1 */
    TRY(argand_op_adjoint(term->op, work, r));
    return argand_array_axpby(s, (argand_scalar){term->scale, 0}, work, one);
}
