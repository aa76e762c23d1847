/* SPDX-License-Identifier: BSD-3-Clause */
/* Hestenes and Stiefel, J. Res. NBS 49:409, 1952. A step whose length is no number (solved to the last bit)
 * changes nothing: scalars_add_ratio sees to that. */
#include "solve/pcg.h"

#include "solve/conjugacy.h"

argand_status pcg_make(pcg *c, smooth *s, const argand_op *preconditioner, argand_array *numbers, int at)
{
    *c = (pcg){.smooth = s, .preconditioner = preconditioner, .numbers = numbers, .at = at};
    TRY(smooth_new_image(s, &c->r));
    TRY(smooth_new_image(s, &c->p));
    TRY(smooth_new_image(s, &c->hp));
    return preconditioner ? smooth_new_image(s, &c->z) : ARGAND_OK;
}

void pcg_release(pcg *c)
{
    basis_release(&c->gradients);
    argand_array_destroy(c->z);
    argand_array_destroy(c->hp);
    argand_array_destroy(c->p);
    argand_array_destroy(c->r);
}

/* Makes r orthogonal to earlier gradients, and computes z = M r and numbers[gamma] = <r, z>. */
static argand_status precondition(pcg *c, int gamma)
{
    TRY(conjugacy_restore(&c->gradients, c->preconditioner, c->r, c->z));
    if (c->preconditioner) TRY(argand_op_apply(c->preconditioner, c->z, c->r));
    TRY(c->x && !c->z ? scalars_four_dots(c->numbers, gamma, c->r, c->x, c->smooth->b)
                      : scalars_dot(c->numbers, gamma, 1, c->r, c->z ? c->z : c->r, false));
    return basis_keep(&c->gradients, c->r, c->numbers, gamma);
}

argand_status pcg_begin(pcg *c)
{
    c->gamma = c->at + PCG_GAMMA;
    c->gradients.count = 0;
    TRY(precondition(c, c->gamma));
    return argand_array_copy(c->p, c->z ? c->z : c->r);
}

argand_status pcg_step(pcg *c, argand_array *x)
{
    const int delta = c->at + PCG_DELTA, next = 2 * c->at + PCG_GAMMA + PCG_GAMMA_OTHER - c->gamma;
    TRY(smooth_hessian(c->smooth, c->hp, c->p));
    TRY(scalars_dot(c->numbers, delta, 1, c->p, c->hp, false));
    TRY(scalars_add_ratio(x, 1, c->numbers, c->gamma, delta, c->p));
    TRY(scalars_add_ratio(c->r, -1, c->numbers, c->gamma, delta, c->hp));
    TRY(precondition(c, next));
    TRY(scalars_scale_ratio(c->p, c->numbers, next, c->gamma, c->z ? c->z : c->r));
    c->gamma = next;
    return ARGAND_OK;
}

argand_status pcg_steps(pcg *c, argand_array *x, int steps)
{
    TRY(pcg_begin(c));
    for (int i = 0; i < steps; i++) TRY(pcg_step(c, x));
    return ARGAND_OK;
}
