/* SPDX-License-Identifier: BSD-3-Clause */
/* Preconditioned conjugate gradients for least squares, CGLS form:
 * Hestenes and Stiefel, J. Res. NBS 49:409, 1952; Bjorck, Numerical Methods for Least Squares Problems,
 * 1996, 7.4. Everything is an operation on arrays, and step lengths are ratios of scalars that remain on the
 * device: an iteration is given to it whole, and then its few numbers come to the host at once, for the
 * monitor and the rules that stop. No number is compared with a constant that has the data's unit: scaled
 * data give scaled iterates. */
#include "solve/cg.h"

#include <float.h>
#include <math.h>
#include "base/clock.h"
#include "base/memory.h"
#include "solve/conjugacy.h"
#include "solve/stopping.h"

static const argand_scalar zero = {0, 0};

/* The numbers on the device. Two places for gamma = <s, z>: this iteration's and the one before. */
enum { GAMMA, GAMMA_OTHER, DELTA, GRADIENT, ENERGY, PENALTY, NUMBERS };

/* What came to the host of them. */
typedef struct cg_numbers {
    double gamma;                /* <s, z> */
    double delta;                /* <p, H p> of the step that led here */
    double gradient;             /* |s| */
    double data_energy, penalty; /* |W^1/2 (y - A x)|^2, R(x) */
} cg_numbers;

typedef struct solver {
    const argand_cg_options *options;
    const argand_op *op;
    argand_array *x;
    cg_term *terms; /* the data, then the penalties */
    int count;
    argand_array *s;       /* the negative gradient: sum_i scale_i C_i^H W_i residual_i */
    argand_array *z;       /* M s; s itself without a preconditioner */
    argand_array *p;       /* the search direction */
    argand_array *work;    /* x's shape; only with penalties */
    argand_array *numbers; /* on the device, NUMBERS of them */
    basis gradients;       /* s of the iterations so far, which the next is made orthogonal to */
    cg_numbers now;        /* the same, at the last iterate */
    double residual_unit, gradient_unit; /* |W^1/2 y|, |gradient at x = 0| */
    double norm;     /* a lower bound of the largest singular value of all terms together */
    double shortest; /* the least length of all residuals so far */
    double started;
    stopping stopping;
} solver;

static argand_status new_domain_array(argand_array **array, const argand_op *op)
{
    const argand_shape *domain = argand_op_domain(op);
    return argand_array_create(array, argand_op_device(op), domain->type, domain->rank, domain->dims);
}

static argand_status solver_make(solver *v)
{
    const argand_cg_options *o = v->options;
    TRY(NEW(v->terms, o->penalty_count + 1));
    v->count = 1;
    TRY(cg_term_make(&v->terms[0], v->op, 1, o->weights));
    for (int i = 0; i < o->penalty_count; i++)
        if (o->penalties[i].beta > 0)
            TRY(cg_term_make(&v->terms[v->count++], o->penalties[i].op, o->penalties[i].beta, NULL));
    TRY(new_domain_array(&v->s, v->op));
    TRY(new_domain_array(&v->p, v->op));
    TRY(scalars_create(&v->numbers, argand_op_device(v->op), NUMBERS));
    TRY(conjugacy_make(&v->gradients, v->op, o));
    TRY(stopping_make(&v->stopping, o->noise, v->x));
    if (o->preconditioner) TRY(new_domain_array(&v->z, v->op));
    return v->count > 1 ? new_domain_array(&v->work, v->op) : ARGAND_OK;
}

static void solver_release(solver *v)
{
    stopping_release(&v->stopping);
    basis_release(&v->gradients);
    argand_array_destroy(v->numbers);
    argand_array_destroy(v->work);
    argand_array_destroy(v->z);
    argand_array_destroy(v->p);
    argand_array_destroy(v->s);
    for (int i = 0; i < v->count; i++) cg_term_release(&v->terms[i]);
    memory_free(v->terms);
}

static const argand_array *preconditioned(const solver *v)
{
    return v->z ? v->z : v->s;
}

/* From the residuals, on the device: energies, s = gradient, orthogonal to those before it, z = M s, gamma =
 * <s, z> at `gamma`. */
static argand_status evaluate(solver *v, int gamma)
{
    for (int i = 0; i < v->count; i++) {
        const double factor = i == 0 ? 1 : v->terms[i].scale / 2;
        TRY(cg_term_energy(&v->terms[i], factor, v->numbers, i == 0 ? ENERGY : PENALTY, i > 1));
        TRY(cg_term_gradient(&v->terms[i], v->s, v->work, i == 0));
    }
    TRY(conjugacy_restore(&v->gradients, v->options->preconditioner, v->s, v->z));
    if (!v->z) return scalars_dot(v->numbers, gamma, 1, v->s, v->s, false);
    TRY(argand_op_apply(v->options->preconditioner, v->z, v->s));
    TRY(scalars_dot(v->numbers, GRADIENT, 1, v->s, v->s, false));
    return scalars_dot(v->numbers, gamma, 1, v->s, v->z, false);
}

/* The one place where the host waits for the device. */
static argand_status fetch(solver *v, int gamma)
{
    double n[NUMBERS];
    TRY(scalars_read(n, v->numbers));
    v->now = (cg_numbers){.gamma = n[gamma],
                          .delta = n[DELTA],
                          .gradient = sqrt(n[v->z ? GRADIENT : gamma]),
                          .data_energy = n[ENERGY],
                          .penalty = n[PENALTY]};
    return ARGAND_OK;
}

/* residual_i -= C_i x for a given start; p carries x, as operators want contiguous arrays. */
static argand_status subtract_start(solver *v)
{
    TRY(argand_array_copy(v->p, v->x));
    for (int i = 0; i < v->count; i++) {
        TRY(argand_op_apply(v->terms[i].op, v->terms[i].step, v->p));
        TRY(cg_term_subtract(&v->terms[i]));
    }
    TRY(evaluate(v, GAMMA));
    return fetch(v, GAMMA);
}

/* Residuals and gradient at x = 0, which are the units of all that is reported, then at the start. */
static argand_status begin(solver *v, const argand_array *y)
{
    TRY(argand_array_copy(v->terms[0].residual, y));
    TRY(evaluate(v, GAMMA));
    TRY(fetch(v, GAMMA));
    v->residual_unit = sqrt(v->now.data_energy);
    v->gradient_unit = v->now.gradient;
    if (v->options->use_start) {
        TRY(subtract_start(v));
        if (v->residual_unit == 0)
            v->residual_unit = sqrt(v->now.data_energy); /* y = 0: against the start instead */
        if (v->gradient_unit == 0) v->gradient_unit = v->now.gradient;
    } else
        TRY(argand_array_fill(v->x, zero));
    TRY(basis_keep(&v->gradients, v->s, v->numbers, GAMMA));
    return argand_array_copy(v->p, preconditioned(v));
}

static double ratio(double value, double unit)
{
    return value == 0 ? 0 : value / unit;
}

static argand_status report(const solver *v, int iteration, int iterations)
{
    const argand_progress progress = {.iteration = iteration,
                                      .iterations = iterations,
                                      .residual = ratio(sqrt(v->now.data_energy), v->residual_unit),
                                      .gradient = ratio(v->now.gradient, v->gradient_unit),
                                      .penalty = v->now.penalty,
                                      .seconds = clock_seconds() - v->started};
    if (!v->options->monitor || v->options->monitor(v->options->monitor_context, &progress)) return ARGAND_OK;
    return status_set(ARGAND_STOPPED, "stopped after iteration %d", iteration);
}

static double rounding(const solver *v)
{
    const argand_type type = argand_op_domain(v->op)->type;
    return type == ARGAND_R64 || type == ARGAND_C64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

/* Whether the step from `before` had a length, gamma / delta, or *solved where nothing was left but rounding.
 */
static argand_status check_step(const solver *v, const cg_numbers *before, int iteration, bool *solved)
{
    const double delta = v->now.delta;
    CHECK(isfinite(delta), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the operator gave it", iteration);
    CHECK(delta >= 0, ARGAND_NUMERIC, "argand_solve_cg: negative curvature %g in iteration %d", delta,
          iteration);
    *solved = delta == 0 && before->gradient <= rounding(v) * v->gradient_unit;
    CHECK(delta > 0 || *solved, ARGAND_NUMERIC,
          "argand_solve_cg: the operator maps a direction to 0 that its adjoint gave in iteration %d; check "
          "it with argand_op_check",
          iteration);
    return ARGAND_OK;
}

static argand_status check_gamma(const solver *v, int iteration)
{
    CHECK(isfinite(v->now.gamma) && isfinite(v->now.gradient), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the adjoint or the preconditioner gave it",
          iteration);
    CHECK(v->now.gamma > 0 || v->now.gradient == 0, ARGAND_NUMERIC,
          "argand_solve_cg: the preconditioner is not positive (%g in iteration %d)", v->now.gamma,
          iteration);
    return ARGAND_OK;
}

/* sqrt(2 objective): the length of all residuals together. */
static double residual_length(const solver *v)
{
    return sqrt(v->now.data_energy + 2 * v->now.penalty);
}

/* The gradient that rounding alone makes. Past it the recurrence does not merely stand still: its directions
 * lose their orthogonality and may grow without bound. Where the residual itself goes to 0 (consistent data),
 * s shrinks far below the true gradient instead, and its steps below the last bit of x: the second bound. */
static double gradient_floor(const solver *v)
{
    const double eps = rounding(v);
    return fmax(4 * eps * v->norm * residual_length(v), eps * eps * v->gradient_unit);
}

static bool converged(const solver *v)
{
    return v->now.gamma == 0 ||
           v->now.gradient <= fmax(v->options->tolerance * v->gradient_unit, gradient_floor(v));
}

/* In exact arithmetic each step lowers the objective. A rise by a percent means an adjoint that is none. */
static argand_status check_descent(solver *v, int iteration)
{
    const double length = residual_length(v);
    CHECK(length <= 1.01 * v->shortest + rounding(v) * v->residual_unit, ARGAND_NUMERIC,
          "argand_solve_cg: the residual grew in iteration %d: adjoint and operator (or preconditioner) do "
          "not belong "
          "together; see argand_op_check",
          iteration);
    v->shortest = fmin(v->shortest, length);
    return ARGAND_OK;
}

/* 1 / alpha never exceeds the largest eigenvalue of the normal operator, and comes near it in few iterations.
 */
static void learn_norm(solver *v, const cg_numbers *before)
{
    if (!v->options->preconditioner) v->norm = fmax(v->norm, sqrt(v->now.delta / before->gamma));
}

/* q = C p;  alpha = gamma / <q, W q>;  x += alpha p;  r -= alpha q;  s = C^H W r;  z = M s;  p = z +
 * (gamma'/gamma) p: all given to the device before any of it is looked at. Where alpha is no number, x and r
 * are left as they are. */
static argand_status advance(solver *v, int gamma, int gamma_next)
{
    for (int i = 0; i < v->count; i++) TRY(cg_term_step(&v->terms[i], v->p, v->numbers, DELTA, i > 0));
    TRY(scalars_add_ratio(v->x, 1, v->numbers, gamma, DELTA, v->p));
    for (int i = 0; i < v->count; i++) TRY(cg_term_advance(&v->terms[i], v->numbers, gamma, DELTA));
    TRY(evaluate(v, gamma_next));
    TRY(basis_keep(&v->gradients, v->s, v->numbers, gamma_next));
    return scalars_scale_ratio(v->p, v->numbers, gamma_next, gamma, preconditioned(v));
}

static argand_status iterate(solver *v, int iteration, bool *solved)
{
    const cg_numbers before = v->now;
    const int gamma = iteration % 2 ? GAMMA : GAMMA_OTHER, gamma_next = GAMMA + GAMMA_OTHER - gamma;
    TRY(advance(v, gamma, gamma_next));
    TRY(fetch(v, gamma_next));
    TRY(check_step(v, &before, iteration, solved));
    if (*solved) return ARGAND_OK;
    learn_norm(v, &before);
    TRY(check_gamma(v, iteration));
    return check_descent(v, iteration);
}

/* Iterations until one of the rules ends them. */
static argand_status loop(solver *v, int iterations, argand_outcome *outcome)
{
    bool solved = false, noise = false;
    while (!solved && !noise && outcome->iteration < iterations && !converged(v)) {
        const cg_numbers before = v->now;
        TRY(iterate(v, outcome->iteration + 1, &solved));
        if (solved) break;
        outcome->iteration++;
        TRY(stopping_look(&v->stopping, before.gamma / v->now.delta, v->now.gamma / before.gamma,
                          v->now.data_energy, v->x, &noise));
        TRY(report(v, outcome->iteration, iterations));
    }
    outcome->stop = noise                    ? ARGAND_STOP_NOISE
                    : solved || converged(v) ? ARGAND_STOP_CONVERGED
                                             : ARGAND_STOP_ITERATIONS;
    return stopping_end(&v->stopping, v->x, outcome);
}

static argand_status run(solver *v, const argand_array *y)
{
    argand_outcome outcome = {.iteration = 0};
    const int iterations = v->options->iterations ? v->options->iterations : 10;
    TRY(begin(v, y));
    TRY(check_gamma(v, 0));
    v->shortest = residual_length(v);
    v->norm = ratio(v->gradient_unit, v->residual_unit);
    stopping_begin(&v->stopping, v->now.data_energy, rounding(v) * rounding(v), v->now.gamma);
    TRY(report(v, 0, iterations));
    TRY(loop(v, iterations, &outcome));
    if (v->options->outcome) *v->options->outcome = outcome;
    return ARGAND_OK;
}

argand_status argand_solve_cg(argand_array *x, const argand_op *op, const argand_array *y,
                              const argand_cg_options *options)
{
    static const argand_cg_options defaults;
    const argand_cg_options *o = options ? options : &defaults;
    TRY(cg_check(x, op, y, o));
    if (o->normal) return cg_normal(x, op, y, o);
    solver v = {.options = o, .op = op, .x = x, .started = clock_seconds()};
    argand_status status = solver_make(&v);
    if (status == ARGAND_OK) status = run(&v, y);
    solver_release(&v);
    return status;
}
