/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of conjugate gradients (cg.h): its arrays, the gradient of an iterate, and residuals and
 * direction at the first one. */
#include "solve/cg.h"

#include <math.h>
#include "solve/conjugacy.h"

static const argand_scalar zero = {0, 0};

static argand_status new_domain_array(argand_array **array, const argand_op *op)
{
    const argand_shape *domain = argand_op_domain(op);
    return argand_array_create(array, argand_op_device(op), domain->type, domain->rank, domain->dims);
}

argand_status cg_make(cg_solver *c)
{
    const argand_cg_options *o = c->options;
    TRY(cg_terms_make(c));
    TRY(new_domain_array(&c->s, c->op));
    TRY(new_domain_array(&c->p, c->op));
    TRY(scalars_create(&c->numbers, argand_op_device(c->op), CG_NUMBERS));
    TRY(conjugacy_make(&c->gradients, c->op, o));
    TRY(stopping_make(&c->stopping, o->noise, c->x));
    if (o->preconditioner) TRY(new_domain_array(&c->z, c->op));
    return c->count > 1 ? new_domain_array(&c->work, c->op) : ARGAND_OK;
}

void cg_release(cg_solver *c)
{
    stopping_release(&c->stopping);
    basis_release(&c->gradients);
    argand_array_destroy(c->numbers);
    argand_array_destroy(c->work);
    argand_array_destroy(c->z);
    argand_array_destroy(c->p);
    argand_array_destroy(c->s);
    cg_terms_release(c);
}

argand_status cg_gradient(cg_solver *c, int gamma)
{
    const argand_op *preconditioner = c->options->preconditioner;
    TRY(cg_terms_gradient(c)); /* s = A^H W r */
    TRY(conjugacy_restore(&c->gradients, preconditioner, c->s, c->z));
    if (!c->z) return scalars_dot(c->numbers, gamma, 1, c->s, c->s, false);
    TRY(argand_op_apply(preconditioner, c->z, c->s)); /* z = M s */
    TRY(scalars_dot(c->numbers, CG_GRADIENT, 1, c->s, c->s, false));
    return scalars_dot(c->numbers, gamma, 1, c->s, c->z, false); /* gamma = <s, z> */
}

/* r = y - A x for a given start; p carries x, as operators want contiguous arrays. If y is 0, residuals and
 * gradients are reported relative to those of the start. */
static argand_status subtract_start(cg_solver *c)
{
    TRY(argand_array_copy(c->p, c->x));
    TRY(cg_terms_apply(c, c->p));
    TRY(cg_terms_subtract(c));
    TRY(cg_gradient(c, c->gamma));
    TRY(cg_fetch(c));
    if (c->watch.residual_unit == 0) c->watch.residual_unit = sqrt(c->now.data_energy);
    if (c->watch.gradient_unit == 0) c->watch.gradient_unit = c->now.gradient;
    return ARGAND_OK;
}

/* Residual and gradient at x = 0 come first: they are the units of all that is reported. */
argand_status cg_start(cg_solver *c, const argand_array *y)
{
    TRY(argand_array_copy(c->terms[0].residual, y));
    TRY(cg_gradient(c, c->gamma));
    TRY(cg_fetch(c));
    c->watch.residual_unit = sqrt(c->now.data_energy);
    c->watch.gradient_unit = c->now.gradient;
    if (c->options->use_start)
        TRY(subtract_start(c));
    else
        TRY(argand_array_fill(c->x, zero));
    TRY(basis_keep(&c->gradients, c->s, c->numbers, c->gamma));
    return argand_array_copy(c->p, cg_preconditioned(c));
}
