/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a problem with its scales from the options. */
#include "op/spread.h"
#include "solve/problem.h"

#include <math.h>
#include "base/clock.h"
#include "solve/spectral.h"

const argand_regularizer *solve_problem_regularizer(const problem *p, int i)
{
    return i < p->options->regularizer_count ? &p->options->regularizers[i] : NULL;
}

static bool is_first_degree(const argand_regularizer *r)
{
    return penalty_kind_of(r->kind)->degree == 1;
}

double solve_problem_beta(const problem *p, const argand_regularizer *r)
{
    if (p->options->absolute) return r->weight;
    return r->weight * p->diagonal * (is_first_degree(r) ? p->image_scale : 1);
}

double solve_problem_scale(const problem *p)
{
    return p->options->absolute ? 1 : p->image_scale;
}

double solve_problem_delta(const problem *p, const argand_regularizer *r)
{
    return (r->delta > 0 ? r->delta : 0.1) * solve_problem_scale(p);
}

/* Measures the mean diagonal, unless it is given or not needed. Relative weights need it, and so does a
 * splitting's first step length. */
static argand_status find_diagonal(problem *p)
{
    const argand_solve_options *o = p->options;
    bool needed = p->solver == ARGAND_SOLVER_ADMM;
    for (int i = 0; i < o->regularizer_count && !o->absolute; i++) needed = true;
    p->diagonal = o->diagonal > 0 ? o->diagonal : 1;
    return needed && o->diagonal == 0 ? scale_diagonal(&p->smooth, &p->diagonal) : ARGAND_OK;
}

/* The image after a few steps of least squares: where the iteration starts, and how bright it is. A start
 * that is given is kept. */
static argand_status find_start(problem *p, const argand_array *x)
{
    const argand_solve_options *o = p->options;
    const bool proximal = p->solver == ARGAND_SOLVER_FISTA || p->solver == ARGAND_SOLVER_POGM;
    double scale;
    TRY(scale_start(&p->smooth, proximal ? NULL : p->preconditioner, p->x, &scale, &p->largest));
    p->image_scale = o->image_scale > 0 ? o->image_scale : scale;
    return o->use_start ? argand_array_copy(p->x, x) : ARGAND_OK;
}

static argand_status find_preconditioner(problem *p)
{
    const argand_solve_options *o = p->options;
    if (o->spectrum) TRY(spectral_make(&p->spectral, p->op, p->space, o->spectrum));
    p->preconditioner = o->preconditioner ? o->preconditioner : p->spectral;
    return ARGAND_OK;
}

static argand_status add_quadratic(problem *p, const argand_regularizer *r)
{
    argand_op *gradient = NULL;
    if (!regularizer_is_quadratic(r) || r->weight == 0) return ARGAND_OK;
    if (regularizer_has_gradient(r))
        TRY(argand_op_gradient(&gradient, argand_op_device(p->op), argand_op_domain(p->op), p->space));
    const argand_status status = smooth_add(&p->smooth, gradient, solve_problem_beta(p, r), false, NULL);
    argand_op_destroy(gradient);
    return status;
}

argand_status solve_problem_make(problem *p, argand_array *x, const argand_array *y)
{
    const argand_solve_options *o = p->options;
    double unit;
    TRY(smooth_make(&p->smooth, p->op, o->normal, o->weights, y, o->regularizer_count));
    TRY(smooth_new_image(&p->smooth, &p->x));
    TRY(argand_array_norm(&unit, p->smooth.b));
    TRY(spread_same(p->op->spread, &unit, 1));
    p->watch = (watch){.monitor = o->monitor,
                       .context = o->monitor_context,
                       .iterations = o->iterations ? o->iterations : 50,
                       .residual_unit = sqrt(p->smooth.energy),
                       .gradient_unit = unit,
                       .started = clock_seconds(),
                       .spread = p->op->spread};
    if (unit == 0) return ARGAND_OK; /* x = 0 is the solution */
    TRY(find_preconditioner(p));
    TRY(find_diagonal(p));
    TRY(find_start(p, x));
    for (int i = 0; i < o->regularizer_count; i++) TRY(add_quadratic(p, &o->regularizers[i]));
    return ARGAND_OK;
}

void solve_problem_release(problem *p)
{
    argand_op_destroy(p->spectral);
    argand_array_destroy(p->x);
    smooth_release(&p->smooth);
}
