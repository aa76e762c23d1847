/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_solve: checks its arguments, runs the solver, hands over the result. */
#include <math.h>
#include "solve/cg.h"
#include "solve/problem.h"

static argand_status check_number(double value, const char *what)
{
    CHECK(value >= 0 && isfinite(value), ARGAND_ARGUMENT,
          "argand_solve: %s %g; give a number above 0, or 0 for automatic", what, value);
    return ARGAND_OK;
}

/* Returns the number of space axes if the caller does not give it. */
static int find_space(const argand_solve_options *o, const argand_shape *shape)
{
    int axes = shape->rank;
    if (o->space) return o->space;
    for (int i = 0; i < o->regularizer_count; i++)
        if (regularizer_has_series(&o->regularizers[i]) && o->regularizers[i].weight > 0)
            axes = shape->rank - 1;
    return axes > 3 ? 3 : axes;
}

static argand_status check(problem *p, const argand_solve_options *o)
{
    CHECK(o->regularizer_count >= 0 && o->regularizer_count <= ARGAND_MAX_REGULARIZERS, ARGAND_ARGUMENT,
          "argand_solve: %d regularizers; 0 to %d can be", o->regularizer_count, ARGAND_MAX_REGULARIZERS);
    CHECK(o->regularizers || !o->regularizer_count, ARGAND_ARGUMENT,
          "argand_solve: %d regularizers, but no list of them", o->regularizer_count);
    CHECK(o->inner >= 0, ARGAND_ARGUMENT, "argand_solve: %d inner steps; give 1 or more, or 0 for 4",
          o->inner);
    CHECK(o->space >= 0 && o->space <= 3, ARGAND_ARGUMENT,
          "argand_solve: %d axes of space; give 1 to 3, or 0 for automatic", o->space);
    TRY(check_number(o->diagonal, "diagonal"));
    TRY(check_number(o->image_scale, "image scale"));
    TRY(check_number(o->largest, "largest eigenvalue"));
    const argand_shape *shape = argand_op_domain(p->op);
    p->space = find_space(o, shape);
    for (int i = 0; i < o->regularizer_count; i++)
        TRY(regularizer_check(&o->regularizers[i], shape, p->space));
    return solve_problem_check_solver(o);
}

static argand_cg_options cg_options(const argand_solve_options *o)
{
    return (argand_cg_options){.iterations = o->iterations,
                               .tolerance = o->tolerance,
                               .weights = o->weights,
                               .preconditioner = o->preconditioner,
                               .use_start = o->use_start,
                               .monitor = o->monitor,
                               .monitor_context = o->monitor_context,
                               .noise = o->noise,
                               .outcome = o->outcome,
                               .normal = o->normal};
}

static argand_status find_diagonal(const problem *p, const argand_array *y, double *diagonal)
{
    const argand_solve_options *o = p->options;
    smooth s;
    *diagonal = o->absolute ? 1 : o->diagonal;
    if (*diagonal > 0) return ARGAND_OK;
    argand_status status = smooth_make(&s, p->op, o->normal, o->weights, y, 0);
    if (status == ARGAND_OK) status = scale_diagonal(&s, diagonal);
    smooth_release(&s);
    return status;
}

/* Passes quadratic regularizers to argand_solve_cg as penalties. */
static argand_status solve_cg(problem *p, argand_array *x, const argand_array *y)
{
    const argand_solve_options *o = p->options;
    argand_cg_options cg = cg_options(o);
    argand_penalty penalties[ARGAND_MAX_REGULARIZERS];
    double diagonal;
    argand_status status = ARGAND_OK;
    cg.penalties = penalties;
    for (int i = 0; i < o->regularizer_count; i++) {
        const argand_regularizer *r = &o->regularizers[i];
        if (r->weight == 0) continue;
        if (cg.penalty_count == 0) TRY_OR_DONE(find_diagonal(p, y, &diagonal));
        argand_penalty *to = &penalties[cg.penalty_count];
        TRY_OR_DONE(regularizer_op(&to->op, r, argand_op_device(p->op), argand_op_domain(p->op), p->space));
        to->beta = r->weight * diagonal;
        cg.penalty_count++;
    }
    status = argand_solve_cg(x, p->op, y, &cg);
done:
    for (int i = 0; i < cg.penalty_count; i++) argand_op_destroy(penalties[i].op);
    return status;
}

static argand_status run(problem *p)
{
    if (p->watch.gradient_unit == 0) return watch_report(&p->watch, 0, p->smooth.energy, 0, 0);
    return solve_problem_run(p);
}

argand_status solve_problem_open(problem *p, const argand_array *x, const argand_op *op,
                                 const argand_array *y, const argand_solve_options *o)
{
    *p = (problem){.options = o, .op = op};
    const argand_cg_options cg = cg_options(o);
    TRY(cg_check(x, op, y, &cg));
    TRY(check(p, o));
    p->solver = o->solver ? o->solver : argand_solver_choose(o->regularizers, o->regularizer_count);
    p->inner = o->inner ? o->inner : o->spectrum && p->solver == ARGAND_SOLVER_ADMM ? 1 : 4;
    return ARGAND_OK;
}

static argand_status check_weights(const argand_solve_options *o)
{
    for (int i = 0; i < o->regularizer_count; i++)
        CHECK(!o->regularizers[i].automatic, ARGAND_ARGUMENT,
              "argand_solve: the weight of %s is to be chosen; argand_solve_weight does that",
              argand_regularizer_name(o->regularizers[i].kind));
    return ARGAND_OK;
}

static argand_status solve(argand_array *x, const argand_op *op, const argand_array *y,
                           const argand_solve_options *o)
{
    problem p;
    TRY(solve_problem_open(&p, x, op, y, o));
    TRY(check_weights(o));
    if (p.solver == ARGAND_SOLVER_CG) return solve_cg(&p, x, y);
    argand_status status = solve_problem_make(&p, x, y);
    if (status == ARGAND_OK) status = run(&p);
    if (p.x && (status == ARGAND_OK || status == ARGAND_STOPPED)) {
        const argand_status copied = argand_array_copy(x, p.x);
        if (copied != ARGAND_OK) status = copied;
    }
    solve_problem_release(&p);
    return status;
}

argand_status argand_solve(argand_array *x, const argand_op *op, const argand_array *y,
                           const argand_solve_options *options)
{
    static const argand_solve_options defaults;
    CHECK(op, ARGAND_ARGUMENT, "argand_solve: no operator");
    spread_begin(op->spread);
    return spread_end(op->spread, solve(x, op, y, options ? options : &defaults));
}
