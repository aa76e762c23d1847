/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioned conjugate gradients for least squares, CGLS form: Hestenes and Stiefel, J. Res. NBS 49:409,
 * 1952; Bjorck, Numerical Methods for Least Squares Problems, 1996, 7.4; Saad, Iterative Methods for Sparse
 * Linear Systems, 2003, 9.5.
 *
 *   r = y - A x,  s = A^H W r,  z = M s,  p = z,  gamma = <s, z>
 *   repeat
 *     q = A p,  alpha = gamma / <q, W q>
 *     x = x + alpha p
 *     r = r - alpha q
 *     s = A^H W r,  z = M s,  beta = <s, z> / gamma,  gamma = <s, z>
 *     p = z + beta p
 *
 * A stands for the operators of all terms, r and q for their residuals and steps (cg.h). Scalars remain on
 * the device, which gets an iteration whole; then its few numbers come to the host at once (cg_guards.c). No
 * number is compared with a constant that has the data's unit: scaled data give scaled iterates. */
#include "solve/cg.h"

#include "base/clock.h"

/* One iteration: alpha = numbers[gamma] / numbers[CG_DELTA], beta = numbers[next] / numbers[gamma]. If
 * alpha is not finite, x and r stay as they are. */
static argand_status step(cg_solver *c)
{
    const int gamma = c->gamma, next = CG_GAMMA + CG_GAMMA_OTHER - gamma;
    const argand_array *z = cg_preconditioned(c);
    TRY(cg_terms_step(c));                                              /* q = A p, <q, W q> */
    TRY(scalars_add_ratio(c->x, 1, c->numbers, gamma, CG_DELTA, c->p)); /* x = x + alpha p */
    TRY(cg_terms_advance(c, gamma));                                    /* r = r - alpha q */
    TRY(cg_gradient(c, next));                                          /* s = A^H W r, z = M s, <s, z> */
    TRY(basis_keep(&c->gradients, c->s, c->numbers, next));
    TRY(scalars_scale_ratio(c->p, c->numbers, next, gamma, z)); /* p = z + beta p */
    c->gamma = next;
    return ARGAND_OK;
}

static argand_status run(cg_solver *c, const argand_array *y)
{
    TRY(cg_start(c, y));
    TRY(cg_watch_start(c));
    while (cg_goes_on(c)) {
        TRY(step(c));
        TRY(cg_watch_step(c));
    }
    return cg_end(c);
}

static argand_status solve(argand_array *x, const argand_op *op, const argand_array *y,
                           const argand_cg_options *o)
{
    cg_solver c = {.options = o,
                   .op = op,
                   .x = x,
                   .gamma = CG_GAMMA,
                   .watch = {.monitor = o->monitor,
                             .context = o->monitor_context,
                             .iterations = o->iterations ? o->iterations : 10,
                             .started = clock_seconds(),
                             .spread = op->spread}};
    argand_status status = cg_make(&c);
    if (status == ARGAND_OK) status = run(&c, y);
    cg_release(&c);
    return status;
}

argand_status argand_solve_cg(argand_array *x, const argand_op *op, const argand_array *y,
                              const argand_cg_options *options)
{
    static const argand_cg_options defaults;
    const argand_cg_options *o = options ? options : &defaults;
    CHECK(op, ARGAND_ARGUMENT, "argand_solve: no operator");
    spread_begin(op->spread);
    argand_status status = cg_check(x, op, y, o);
    if (status == ARGAND_OK) status = o->normal ? cg_normal(x, op, y, o) : solve(x, op, y, o);
    return spread_end(op->spread, status);
}
