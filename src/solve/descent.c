/* SPDX-License-Identifier: BSD-3-Clause */
/* Hestenes and Stiefel, J. Res. NBS 49:409, 1952, begun anew each time: f is quadratic, so that its gradient
 * at x + a p is that at x plus a N p, which a step computes anyhow. */
#include "solve/descent.h"

#include "op/spread.h"

argand_status descent_make(descent *d, smooth *s, const argand_op *preconditioner, argand_array *numbers)
{
    *d = (descent){.smooth = s, .preconditioner = preconditioner, .numbers = numbers};
    argand_array **const arrays[] = {&d->g, &d->r, &d->p, &d->np, &d->hp, &d->z};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) TRY(smooth_new_image(s, arrays[i]));
    return s->normal ? ARGAND_OK : smooth_new_data(s, &d->residual);
}

void descent_release(descent *d)
{
    argand_array *const arrays[] = {d->residual, d->z, d->hp, d->np, d->p, d->r, d->g};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
}

argand_status descent_refresh(descent *d, const argand_array *x)
{
    TRY(smooth_data_gradient(d->smooth, d->g, x));
    return d->residual ? argand_array_copy(d->residual, d->smooth->residual) : ARGAND_OK;
}

/* Computes p = M r and numbers[gamma] = <r, p>; without a preconditioner M it copies r. */
static argand_status precondition(descent *d, argand_array *p, int gamma)
{
    TRY(d->preconditioner ? argand_op_apply(d->preconditioner, p, d->r) : argand_array_copy(p, d->r));
    return scalars_dot(d->numbers, gamma, 1, d->r, p, false);
}

/* Moves x by a p, and the gradient and residual with it. */
static argand_status move(descent *d, argand_array *x, int gamma)
{
    TRY(smooth_normal(d->smooth, d->np, d->p));
    TRY(argand_array_copy(d->hp, d->np));
    TRY(smooth_add_terms(d->smooth, d->hp, d->p));
    TRY(scalars_dot(d->numbers, DESCENT_DELTA, 1, d->p, d->hp, false));
    TRY(scalars_add_ratio(x, 1, d->numbers, gamma, DESCENT_DELTA, d->p));
    TRY(scalars_add_ratio(d->g, 1, d->numbers, gamma, DESCENT_DELTA, d->np));
    return d->residual
               ? scalars_add_ratio(d->residual, 1, d->numbers, gamma, DESCENT_DELTA, d->smooth->residual)
               : ARGAND_OK;
}

argand_status descent_steps(descent *d, argand_array *x, int steps)
{
    int gamma = DESCENT_GAMMA, next = DESCENT_GAMMA_OTHER;
    TRY(precondition(d, d->p, gamma));
    for (int i = 1;; i++) {
        TRY(move(d, x, gamma));
        if (i >= steps) return ARGAND_OK;
        TRY(scalars_add_ratio(d->r, -1, d->numbers, gamma, DESCENT_DELTA, d->hp));
        TRY(precondition(d, d->z, next));
        TRY(scalars_scale_ratio(d->p, d->numbers, next, gamma, d->z));
        const int swap = gamma;
        gamma = next;
        next = swap;
    }
}

argand_status descent_data(descent *d, const argand_array *x, int at)
{
    smooth *s = d->smooth;
    if (!d->residual) {
        TRY(scalars_dot(d->numbers, at, 1, x, d->g, false));
        return scalars_dot(d->numbers, at, -1, x, s->b, true);
    }
    if (s->weights) TRY(argand_array_multiply(s->weighted, s->weights, d->residual, ARGAND_PRODUCT));
    return spread_dot(s->op->spread, d->numbers, at, 1, d->residual, s->weights ? s->weighted : d->residual);
}
