/* SPDX-License-Identifier: BSD-3-Clause */
/* Proximal gradient methods with momentum for f + R, f quadratic, R with a proximal map:
 *   FISTA  Beck and Teboulle, SIAM J. Imaging Sci. 2:183, 2009
 *   POGM   Taylor, Hendrickx, Glineur, SIAM J. Optim. 27:1283, 2017; with restart: Kim and Fessler, J. Optim.
 * Theory Appl. 178:240, 2018 (also for FISTA: O'Donoghue and Candes, Found. Comput. Math. 15:715, 2015) With
 * w = x - mu grad f(x) the step of both is z = w + beta (w - w_old) + gamma (w - x) - beta mu / zeta_old (x -
 * z_old),   x <- prox_(zeta R) (z) where FISTA lacks the last two parts: as f is quadratic, the gradient at
 * its extrapolated point is the extrapolated gradient. So a gradient is computed at each x alone, and
 * residual and objective come with it for nothing. */
#include <math.h>
#include "op/spread.h"
#include "solve/problem.h"

enum { DATA, QUADRATIC, RULE, MAP, CROSS, STEP, CURVATURE, LENGTH, NUMBERS };

static const argand_scalar one = {1, 0}, minus_one = {-1, 0};

typedef struct solver {
    problem *problem;
    bool is_pogm, moves;
    prox *prox;
    double beta; /* of R */
    argand_array *x, *x_new, *g, *g_new, *w, *w_old, *z, *z_old;
    argand_array *y, *y_old, *step, *step_old; /* POGM: the plain proximal point; x_new - x */
    argand_array *numbers;
    double now[NUMBERS];
    double largest, t, momentum, over, zeta, zeta_old, last_step; /* last_step: |step_old|^2 */
} solver;

static argand_status make(solver *v)
{
    problem *p = v->problem;
    const argand_regularizer *r;
    for (int i = 0; (r = solve_problem_regularizer(p, i)); i++) {
        if (regularizer_is_quadratic(r) || r->weight == 0) continue;
        TRY(prox_make(&v->prox, r, argand_op_device(p->op), argand_op_domain(p->op), p->space));
        v->prox->scale = solve_problem_scale(p);
        v->beta = solve_problem_beta(p, r);
        v->moves = v->prox->move || regularizer_is_map(r); /* a rise of the objective says nothing */
    }
    argand_array **const arrays[] = {&v->x_new, &v->g, &v->g_new, &v->w,    &v->w_old,   &v->z,
                                     &v->z_old, &v->y, &v->y_old, &v->step, &v->step_old};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) TRY(smooth_new_image(&p->smooth, arrays[i]));
    v->x = p->x;
    return scalars_create(&v->numbers, argand_op_device(p->op), NUMBERS);
}

static void release(solver *v)
{
    argand_array *const arrays[] = {v->x_new, v->g, v->g_new, v->w,    v->w_old,    v->z,
                                    v->z_old, v->y, v->y_old, v->step, v->step_old, v->numbers};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    prox_destroy(v->prox);
}

static argand_status find_largest(solver *v)
{
    problem *p = v->problem;
    v->largest = p->options->largest > 0 ? p->options->largest : 1.02 * p->largest;
    if (v->largest == 0) return scale_largest(&p->smooth, &v->largest);
    for (int i = 0; i < p->smooth.count; i++) /* each difference has a norm of at most 2 */
        v->largest += p->smooth.terms[i].beta * (p->smooth.terms[i].op ? 4 * p->space : 1);
    return ARGAND_OK;
}

static void next_momentum(solver *v, bool last)
{
    const double t = v->t, factor = last && v->is_pogm ? 8 : 4;
    v->t = (1 + sqrt(factor * t * t + 1)) / 2;
    v->momentum = (t - 1) / v->t;
    v->over = v->is_pogm ? t / v->t : 0;
}

/* z and zeta, from x, its gradient and what came before. */
static argand_status extrapolate(solver *v)
{
    const double mu = 1 / v->largest, b = v->momentum, c = v->over;
    TRY(argand_array_copy(v->w, v->x));
    TRY(argand_array_axpby(v->w, (argand_scalar){-mu, 0}, v->g, one));
    TRY(argand_array_copy(v->z, v->w));
    v->zeta = v->is_pogm ? mu * (1 + b + c) : mu;
    if (b != 0)
        TRY(argand_array_axpby(v->z, (argand_scalar){-b, 0}, v->w_old, (argand_scalar){1 + b + c, 0}));
    if (b == 0 && c != 0) TRY(argand_array_scale(v->z, (argand_scalar){1 + c, 0}));
    if (!v->is_pogm) return ARGAND_OK;
    const double pull = b == 0 ? 0 : b * mu / v->zeta_old;
    TRY(argand_array_axpby(v->z, (argand_scalar){-c - pull, 0}, v->x, one));
    return pull == 0 ? ARGAND_OK : argand_array_axpby(v->z, (argand_scalar){pull, 0}, v->z_old, one);
}

static argand_status apply_prox(solver *v)
{
    const tally sum = {v->numbers, RULE, v->beta, false};
    if (!v->prox) return argand_array_copy(v->x_new, v->z);
    if (v->prox->move) v->prox->move(v->prox);
    return v->prox->run(v->prox, v->x_new, v->z, v->zeta * v->beta, &sum);
}

/* POGM: y = x - mu G, G the composite gradient mapping grad f(x) - (x_new - z) / zeta; how long x - y is, and
 * whether y has turned against it. FISTA: the same of its extrapolated point, by products of steps. */
static argand_status measure_direction(solver *v)
{
    if (!v->is_pogm) return scalars_dot(v->numbers, CROSS, 1, v->step_old, v->step, false);
    const double ratio = 1 / (v->largest * v->zeta);
    TRY(argand_array_copy(v->y, v->w));
    TRY(argand_array_axpby(v->y, (argand_scalar){ratio, 0}, v->x_new, one));
    TRY(argand_array_axpby(v->y, (argand_scalar){-ratio, 0}, v->z, one));
    TRY(argand_array_axpby(v->y_old, one, v->y, minus_one)); /* y - y_old */
    TRY(argand_array_axpby(v->w_old, minus_one, v->y, (argand_scalar){0, 0}));
    TRY(argand_array_axpby(v->w_old, one, v->x, one)); /* x - y */
    TRY(scalars_dot(v->numbers, MAP, 1, v->w_old, v->w_old, false));
    return scalars_dot(v->numbers, CROSS, 1, v->w_old, v->y_old, false);
}

/* f, R and the gradient at x_new; the step and the curvature of f along it. */
static argand_status evaluate(solver *v)
{
    smooth *s = &v->problem->smooth;
    TRY(argand_array_copy(v->step, v->x_new));
    TRY(argand_array_axpby(v->step, minus_one, v->x, one));
    TRY(measure_direction(v));
    TRY(smooth_gradient(s, v->g_new, v->x_new, v->numbers, DATA));
    TRY(smooth_penalty(s, v->x_new, v->numbers, QUADRATIC));
    TRY(argand_array_axpby(v->g, one, v->g_new, minus_one)); /* g_new - g: g is not needed any more */
    TRY(scalars_dot(v->numbers, CURVATURE, 1, v->step, v->g, false));
    TRY(scalars_dot(v->numbers, STEP, 1, v->step, v->step, false));
    TRY(scalars_dot(v->numbers, LENGTH, 1, v->x_new, v->x_new, false));
    return spread_read(v->problem->op->spread, v->now, v->numbers);
}

static void swap(argand_array **a, argand_array **b)
{
    argand_array *const c = *a;
    *a = *b;
    *b = c;
}

static void swap_iterates(solver *v)
{
    swap(&v->x, &v->x_new);
    swap(&v->g, &v->g_new);
    swap(&v->w, &v->w_old);
    swap(&v->z, &v->z_old);
    swap(&v->y, &v->y_old);
    swap(&v->step, &v->step_old);
    v->zeta_old = v->zeta;
    v->last_step = v->now[STEP];
}

/* Returns the length of the composite gradient mapping. */
static double mapping(const solver *v)
{
    const double b = v->momentum;
    if (v->is_pogm) return v->largest * sqrt(v->now[MAP]);
    return v->largest * sqrt(fmax(0, b * b * v->last_step - 2 * b * v->now[CROSS] + v->now[STEP]));
}

/* Momentum begins anew where it points uphill, or where the step length proves too long: f curves more along
 * the last step than the largest eigenvalue allows. Steps near the last bit of x say nothing. */
static void adapt(solver *v)
{
    const double *n = v->now, eps = 1000 * type_rounding(argand_op_domain(v->problem->op)->type);
    const bool uphill = v->is_pogm ? n[CROSS] > 0 : v->momentum * n[CROSS] > n[STEP];
    if (uphill && !v->moves) v->t = 1;
    if (n[STEP] > eps * eps * n[LENGTH] && n[CURVATURE] > 1.005 * v->largest * n[STEP]) {
        v->largest = 1.02 * n[CURVATURE] / n[STEP];
        v->t = 1;
    }
}

static argand_status report(const solver *v, int iteration, double gradient)
{
    return watch_report(&v->problem->watch, iteration, smooth_data(&v->problem->smooth, v->now[DATA]),
                        gradient, v->now[QUADRATIC] + v->now[RULE]);
}

/* At the start R is computed by a proximal map of threshold 0. */
static argand_status begin(solver *v)
{
    smooth *s = &v->problem->smooth;
    const tally sum = {v->numbers, RULE, v->beta, false};
    double gradient;
    TRY(find_largest(v));
    TRY(smooth_gradient(s, v->g, v->x, v->numbers, DATA));
    TRY(smooth_penalty(s, v->x, v->numbers, QUADRATIC));
    if (v->prox) TRY(v->prox->run(v->prox, v->x_new, v->x, 0, &sum));
    TRY(spread_read(v->problem->op->spread, v->now, v->numbers));
    TRY(argand_array_norm(&gradient, v->g));
    TRY(spread_same(v->problem->op->spread, &gradient, 1));
    TRY(argand_array_copy(v->y_old, v->x));
    v->t = 1;
    return report(v, 0, gradient);
}

static argand_status run(solver *v)
{
    const problem *p = v->problem;
    TRY(begin(v));
    for (int i = 1; i <= p->watch.iterations; i++) {
        next_momentum(v, i == p->watch.iterations);
        TRY(extrapolate(v));
        TRY(apply_prox(v));
        TRY(evaluate(v));
        const double gradient = mapping(v);
        swap_iterates(v);
        adapt(v);
        TRY(report(v, i, gradient));
        if (gradient <= p->options->tolerance * p->watch.gradient_unit) break;
    }
    return ARGAND_OK;
}

argand_status solve_proximal(problem *p)
{
    solver v = {.problem = p, .is_pogm = p->solver == ARGAND_SOLVER_POGM};
    argand_status status = make(&v);
    if (status == ARGAND_OK) status = run(&v);
    if (v.x) p->x = v.x; /* x and x_new may have changed places */
    release(&v);
    return status;
}
