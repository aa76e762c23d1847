/* SPDX-License-Identifier: BSD-3-Clause */
/* From options to a problem with its scales. */
#include "solve/problem.h"

#include <math.h>
#include "base/clock.h"

const argand_regularizer *solve_problem_regularizer(const problem *p, int i)
{
    return i < p->options->regularizer_count ? &p->options->regularizers[i] : NULL;
}

static bool is_first_degree(const argand_regularizer *r)
{
    return r->kind >= ARGAND_TV;
}

double solve_problem_beta(const problem *p, const argand_regularizer *r)
{
    if (p->options->absolute) return r->weight;
    return r->weight * p->diagonal * (is_first_degree(r) ? p->image_scale : 1);
}

double solve_problem_delta(const problem *p, const argand_regularizer *r)
{
    const double delta = r->delta > 0 ? r->delta : 0.1;
    return p->options->absolute ? delta : delta * p->image_scale;
}

/* A splitting's first step length needs both scales whatever the weights are. */
static argand_status find_scales(problem *p)
{
    const argand_solve_options *o = p->options;
    bool needs_diagonal = p->solver == ARGAND_SOLVER_ADMM, needs_image = needs_diagonal;
    for (int i = 0; i < o->regularizer_count && !o->absolute; i++) {
        needs_diagonal = true;
        needs_image = needs_image || !regularizer_is_quadratic(&o->regularizers[i]);
    }
    p->diagonal = o->diagonal > 0 ? o->diagonal : 1;
    p->image_scale = o->image_scale > 0 ? o->image_scale : 1;
    if (needs_diagonal && o->diagonal == 0) TRY(scale_diagonal(&p->smooth, &p->diagonal));
    if (needs_image && o->image_scale == 0) TRY(scale_image(&p->smooth, &p->image_scale));
    return ARGAND_OK;
}

static argand_status add_quadratic(problem *p, const argand_regularizer *r)
{
    argand_op *gradient = NULL;
    if (!regularizer_is_quadratic(r) || r->weight == 0) return ARGAND_OK;
    if (r->kind == ARGAND_QUADRATIC)
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
    p->watch = (watch){.monitor = o->monitor,
                       .context = o->monitor_context,
                       .iterations = o->iterations ? o->iterations : 50,
                       .residual_unit = sqrt(p->smooth.energy),
                       .gradient_unit = unit,
                       .started = clock_seconds()};
    if (unit == 0) return ARGAND_OK; /* x = 0 is the solution */
    if (o->use_start) TRY(argand_array_copy(p->x, x));
    TRY(find_scales(p));
    for (int i = 0; i < o->regularizer_count; i++) TRY(add_quadratic(p, &o->regularizers[i]));
    return ARGAND_OK;
}

void solve_problem_release(problem *p)
{
    argand_array_destroy(p->x);
    smooth_release(&p->smooth);
}
