/* SPDX-License-Identifier: BSD-3-Clause */
/* Hyperbolas by majorisers: psi(t) lies below a quadratic of curvature w = 1 / sqrt(1 + |t / delta|^2) that
 * touches it (Geman and Reynolds, IEEE Trans. Pattern Anal. 14:367, 1992; Charbonnier et al., IEEE Trans.
 * Image Process. 6:298, 1997). A few CG steps lower the sum of data and quadratics, and with it the
 * objective; then the weights are new. */
#include <math.h>
#include "op/spread.h"
#include "solve/pcg.h"
#include "solve/problem.h"
#include "solve/spectral.h"

enum { DATA = PCG_NUMBERS, GRADIENT, QUADRATIC, CORNERS, NUMBERS };

typedef struct solver {
    problem *problem;
    pcg pcg;
    argand_array *numbers;
    double now[NUMBERS];
    struct {
        const penalty_kind *kind;
        smooth_term *term;
        double delta;
    } corners[ARGAND_MAX_REGULARIZERS];
    int count;
} solver;

static argand_status add_corner(solver *v, const argand_regularizer *r)
{
    problem *p = v->problem;
    argand_op *gradient;
    smooth_term *term;
    TRY(argand_op_gradient(&gradient, argand_op_device(p->op), argand_op_domain(p->op), p->space));
    argand_status status = smooth_add(&p->smooth, gradient, solve_problem_beta(p, r), false, &term);
    const argand_shape *range = argand_op_range(gradient);
    if (status == ARGAND_OK)
        status = argand_array_create(&term->weights, argand_op_device(p->op),
                                     type_is_double(range->type) ? ARGAND_R64 : ARGAND_R32, range->rank,
                                     range->dims);
    argand_op_destroy(gradient);
    v->corners[v->count].kind = penalty_kind_of(r->kind);
    v->corners[v->count].term = term;
    v->corners[v->count++].delta = solve_problem_delta(p, r);
    return status;
}

static argand_status make(solver *v)
{
    problem *p = v->problem;
    const argand_regularizer *r;
    for (int i = 0; (r = solve_problem_regularizer(p, i)); i++)
        if (regularizer_is_half_quadratic(r) && r->weight > 0) TRY(add_corner(v, r));
    if (p->spectral) {
        double identity, laplacian;
        smooth_weights(&p->smooth, &identity, &laplacian);
        TRY(spectral_set(p->spectral, identity, laplacian));
    }
    TRY(scalars_create(&v->numbers, argand_op_device(p->op), NUMBERS));
    return pcg_make(&v->pcg, &p->smooth, p->preconditioner, v->numbers, 0);
}

/* Computes weights, values and the gradient at x, which the quadratic shares with the objective; r =
 * -gradient. */
static argand_status evaluate(solver *v)
{
    problem *p = v->problem;
    for (int i = 0; i < v->count; i++) {
        smooth_term *t = v->corners[i].term;
        const tally sum = {v->numbers, CORNERS, t->beta, i > 0};
        TRY(argand_op_apply(t->op, t->range, p->x));
        TRY(v->corners[i].kind->curvatures(t->weights, t->range, v->corners[i].delta, &sum));
    }
    TRY(smooth_gradient(&p->smooth, v->pcg.r, p->x, v->numbers, DATA));
    TRY(argand_array_scale(v->pcg.r, (argand_scalar){-1, 0}));
    TRY(smooth_penalty(&p->smooth, p->x, v->numbers, QUADRATIC));
    TRY(scalars_dot(v->numbers, GRADIENT, 1, v->pcg.r, v->pcg.r, false));
    return spread_read(p->op->spread, v->now, v->numbers);
}

static argand_status report(const solver *v, int iteration)
{
    return watch_report(&v->problem->watch, iteration, smooth_data(&v->problem->smooth, v->now[DATA]),
                        sqrt(v->now[GRADIENT]), v->now[QUADRATIC] + v->now[CORNERS]);
}

static argand_status run(solver *v)
{
    problem *p = v->problem;
    TRY(evaluate(v));
    TRY(report(v, 0));
    for (int i = 1; i <= p->watch.iterations; i++) {
        if (sqrt(v->now[GRADIENT]) <= p->options->tolerance * p->watch.gradient_unit) break;
        TRY(pcg_steps(&v->pcg, p->x, p->inner));
        TRY(evaluate(v));
        TRY(report(v, i));
    }
    return ARGAND_OK;
}

argand_status solve_half_quadratic(problem *p)
{
    solver v = {.problem = p};
    argand_status status = make(&v);
    if (status == ARGAND_OK) status = run(&v);
    pcg_release(&v.pcg);
    argand_array_destroy(v.numbers);
    return status;
}
