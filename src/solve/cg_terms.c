/* SPDX-License-Identifier: BSD-3-Clause */
/* The quadratic terms of the objective of conjugate gradients (cg.h): their residuals, steps, energies and
 * gradient. */
#include "solve/cg.h"

#include "base/memory.h"

static const argand_scalar one = {1, 0};

static argand_status new_like(argand_array **array, const argand_op *op, const argand_shape *shape)
{
    return argand_array_create(array, argand_op_device(op), shape->type, shape->rank, shape->dims);
}

static argand_status term_make(cg_term *term, const argand_op *op, double scale, const argand_array *weights)
{
    *term = (cg_term){.op = op, .scale = scale, .weights = weights};
    const argand_shape *range = argand_op_range(op);
    TRY(new_like(&term->residual, op, range));
    TRY(new_like(&term->step, op, range));
    return weights ? new_like(&term->weighted, op, range) : ARGAND_OK;
}

argand_status cg_terms_make(cg_solver *c)
{
    const argand_cg_options *o = c->options;
    TRY(NEW(c->terms, o->penalty_count + 1));
    c->count = 1;
    TRY(term_make(&c->terms[0], c->op, 1, o->weights));
    for (int i = 0; i < o->penalty_count; i++)
        if (o->penalties[i].beta > 0)
            TRY(term_make(&c->terms[c->count++], o->penalties[i].op, o->penalties[i].beta, NULL));
    return ARGAND_OK;
}

void cg_terms_release(cg_solver *c)
{
    for (int i = 0; i < c->count; i++) {
        argand_array_destroy(c->terms[i].weighted);
        argand_array_destroy(c->terms[i].step);
        argand_array_destroy(c->terms[i].residual);
    }
    memory_free(c->terms);
}

/* numbers[at] (+)= factor <v, W v>; with weights, `weighted` is W v afterwards. */
static argand_status energy(cg_term *term, double factor, const argand_array *v, argand_array *numbers,
                            int at, bool add)
{
    if (term->weights) TRY(argand_array_multiply(term->weighted, term->weights, v, ARGAND_PRODUCT));
    const argand_array *wv = term->weights ? term->weighted : v;
    return add ? scalars_dot(numbers, at, factor, v, wv, true)
               : spread_dot(term->op->spread, numbers, at, factor, v, wv);
}

argand_status cg_terms_apply(cg_solver *c, const argand_array *v)
{
    for (int i = 0; i < c->count; i++) TRY(argand_op_apply(c->terms[i].op, c->terms[i].step, v));
    return ARGAND_OK;
}

argand_status cg_terms_step(cg_solver *c)
{
    TRY(cg_terms_apply(c, c->p));
    for (int i = 0; i < c->count; i++)
        TRY(energy(&c->terms[i], c->terms[i].scale, c->terms[i].step, c->numbers, CG_DELTA, i > 0));
    return ARGAND_OK;
}

argand_status cg_terms_subtract(cg_solver *c)
{
    for (int i = 0; i < c->count; i++)
        TRY(argand_array_axpby(c->terms[i].residual, (argand_scalar){-1, 0}, c->terms[i].step, one));
    return ARGAND_OK;
}

argand_status cg_terms_advance(cg_solver *c, int gamma)
{
    for (int i = 0; i < c->count; i++)
        TRY(scalars_add_ratio(c->terms[i].residual, -1, c->numbers, gamma, CG_DELTA, c->terms[i].step));
    return ARGAND_OK;
}

/* s (+)= scale C^H W r, after the energy of r. */
static argand_status add_gradient(const cg_solver *c, const cg_term *term, bool first)
{
    const argand_array *r = term->weights ? term->weighted : term->residual;
    if (first) return argand_op_adjoint(term->op, c->s, r); /* the data: scale 1 */
    TRY(argand_op_adjoint(term->op, c->work, r));
    return argand_array_axpby(c->s, (argand_scalar){term->scale, 0}, c->work, one);
}

argand_status cg_terms_gradient(cg_solver *c)
{
    for (int i = 0; i < c->count; i++) {
        cg_term *term = &c->terms[i];
        const double factor = i == 0 ? 1 : term->scale / 2;
        TRY(energy(term, factor, term->residual, c->numbers, i == 0 ? CG_ENERGY : CG_PENALTY, i > 1));
        TRY(add_gradient(c, term, i == 0));
    }
    return ARGAND_OK;
}
