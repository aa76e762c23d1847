/* SPDX-License-Identifier: BSD-3-Clause */
/* The guards of conjugate gradients (cg.c): after each iteration they check its numbers, report them, and ask
 * the rules that end iterations ("When it stops by itself" in docs/internals/solve.md). */
#include <math.h>
#include "solve/cg.h"

argand_status cg_fetch(cg_solver *c)
{
    double n[CG_NUMBERS];
    TRY(spread_read(c->op->spread, n, c->numbers));
    c->before = c->now;
    c->now = (cg_numbers){.gamma = n[c->gamma],
                          .delta = n[CG_DELTA],
                          .gradient = sqrt(n[c->z ? CG_GRADIENT : c->gamma]),
                          .data_energy = n[CG_ENERGY],
                          .penalty = n[CG_PENALTY]};
    return ARGAND_OK;
}

static double rounding(const cg_solver *c)
{
    return type_rounding(argand_op_domain(c->op)->type);
}

/* Checks that the last step had a length, gamma / delta. *solved: it had none, as nothing was left but
 * rounding. */
static argand_status check_step(const cg_solver *c, int iteration, bool *solved)
{
    const double delta = c->now.delta;
    CHECK(isfinite(delta), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the operator gave it", iteration);
    CHECK(delta >= 0, ARGAND_NUMERIC, "argand_solve_cg: negative curvature %g in iteration %d", delta,
          iteration);
    *solved = delta == 0 && c->before.gradient <= rounding(c) * c->watch.gradient_unit;
    CHECK(delta > 0 || *solved, ARGAND_NUMERIC,
          "argand_solve_cg: the operator maps a direction to 0 that its adjoint gave in iteration %d; check "
          "it with argand_op_check",
          iteration);
    return ARGAND_OK;
}

static argand_status check_gamma(const cg_solver *c, int iteration)
{
    CHECK(isfinite(c->now.gamma) && isfinite(c->now.gradient), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the adjoint or the preconditioner gave it",
          iteration);
    CHECK(c->now.gamma > 0 || c->now.gradient == 0, ARGAND_NUMERIC,
          "argand_solve_cg: the preconditioner is not positive (%g in iteration %d)", c->now.gamma,
          iteration);
    return ARGAND_OK;
}

/* sqrt(2 objective): the length of all residuals together. */
static double residual_length(const cg_solver *c)
{
    return sqrt(c->now.data_energy + 2 * c->now.penalty);
}

/* In exact arithmetic each step lowers the objective. If it rises by a percent, the adjoint is wrong. */
static argand_status check_descent(cg_solver *c, int iteration)
{
    const double length = residual_length(c);
    CHECK(length <= 1.01 * c->shortest + rounding(c) * c->watch.residual_unit, ARGAND_NUMERIC,
          "argand_solve_cg: the residual grew in iteration %d: adjoint and operator (or preconditioner) do "
          "not belong "
          "together; see argand_op_check",
          iteration);
    c->shortest = fmin(c->shortest, length);
    return ARGAND_OK;
}

/* Returns the length of the gradient that rounding alone makes. Below it the directions lose their
 * orthogonality and may grow without bound. The second bound is for consistent data, whose residual goes
 * to 0: there s shrinks far below the true gradient, and steps fall below the last bit of x. */
static double gradient_floor(const cg_solver *c)
{
    const double eps = rounding(c);
    return fmax(4 * eps * c->norm * residual_length(c), eps * eps * c->watch.gradient_unit);
}

static bool converged(const cg_solver *c)
{
    return c->now.gamma == 0 ||
           c->now.gradient <= fmax(c->options->tolerance * c->watch.gradient_unit, gradient_floor(c));
}

/* 1 / alpha = delta / gamma never exceeds the largest eigenvalue of the normal operator, and comes near it in
 * few iterations. */
static void learn_norm(cg_solver *c)
{
    if (!c->options->preconditioner) c->norm = fmax(c->norm, sqrt(c->now.delta / c->before.gamma));
}

static argand_status report(const cg_solver *c)
{
    return watch_report(&c->watch, c->outcome.iteration, c->now.data_energy, c->now.gradient, c->now.penalty);
}

argand_status cg_watch_start(cg_solver *c)
{
    TRY(check_gamma(c, 0));
    c->shortest = residual_length(c);
    c->norm = watch_ratio(c->watch.gradient_unit, c->watch.residual_unit);
    stopping_begin(&c->stopping, c->now.data_energy, rounding(c) * rounding(c), c->now.gamma);
    return report(c);
}

argand_status cg_watch_step(cg_solver *c)
{
    const int iteration = c->outcome.iteration + 1;
    TRY(cg_fetch(c));
    TRY(check_step(c, iteration, &c->solved));
    if (c->solved) return ARGAND_OK;
    learn_norm(c);
    TRY(check_gamma(c, iteration));
    TRY(check_descent(c, iteration));
    c->outcome.iteration = iteration;
    TRY(stopping_look(&c->stopping, c->before.gamma / c->now.delta, c->now.gamma / c->before.gamma,
                      c->now.data_energy, c->x, &c->noise));
    return report(c);
}

bool cg_goes_on(const cg_solver *c)
{
    return !c->solved && !c->noise && c->outcome.iteration < c->watch.iterations && !converged(c);
}

argand_status cg_end(cg_solver *c)
{
    c->outcome.stop = c->noise                    ? ARGAND_STOP_NOISE
                      : c->solved || converged(c) ? ARGAND_STOP_CONVERGED
                                                  : ARGAND_STOP_ITERATIONS;
    TRY(stopping_end(&c->stopping, c->x, &c->outcome));
    if (c->options->outcome) *c->options->outcome = c->outcome;
    return ARGAND_OK;
}
