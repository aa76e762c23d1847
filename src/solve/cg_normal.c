/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_solve_cg where A^H W A is one operator: conjugate gradients on the normal equations. There are no
 * residuals of the data to update, so the gradient is b - H x by recurrence, and the residual's length comes
 * from |W^1/2 (y - A x)|^2 = |W^1/2 y|^2 - <x, b> - <x, r> - 2 R(x),  r = b - H x. */
#include <math.h>
#include "base/clock.h"
#include "solve/cg.h"
#include "solve/conjugacy.h"
#include "solve/pcg.h"
#include "solve/stopping.h"
#include "solve/watch.h"

/* Places behind that of <r, r>; numbers with a preconditioner, whose gamma is no <r, r>. */
enum { X_B = 1, X_R, X_X };
enum { GRADIENT = PCG_NUMBERS, PENALTY = GRADIENT + 4, DATA, NUMBERS };

typedef struct solver {
    const argand_cg_options *options;
    smooth smooth;
    pcg pcg;
    argand_array *x, *numbers;
    double now[NUMBERS];
    double norm;  /* of H: the largest 1/alpha so far */
    double least; /* gradient so far */
    watch watch;
    stopping stopping;
} solver;

static argand_status make(solver *v, const argand_op *op, const argand_array *y)
{
    const argand_cg_options *o = v->options;
    TRY(smooth_make(&v->smooth, op, o->normal, o->weights, y, o->penalty_count));
    for (int i = 0; i < o->penalty_count; i++)
        if (o->penalties[i].beta > 0)
            TRY(smooth_add(&v->smooth, o->penalties[i].op, o->penalties[i].beta, false, NULL));
    TRY(scalars_create(&v->numbers, argand_op_device(op), NUMBERS));
    TRY(smooth_new_image(&v->smooth, &v->x));
    TRY(pcg_make(&v->pcg, &v->smooth, o->preconditioner, v->numbers, 0));
    v->pcg.x = v->x;
    TRY(stopping_make(&v->stopping, o->noise, v->x));
    return conjugacy_make(&v->pcg.gradients, op, o);
}

static void release(solver *v)
{
    stopping_release(&v->stopping);
    pcg_release(&v->pcg);
    argand_array_destroy(v->x);
    argand_array_destroy(v->numbers);
    smooth_release(&v->smooth);
}

static argand_status fetch(solver *v)
{
    if (v->options->preconditioner) TRY(scalars_four_dots(v->numbers, GRADIENT, v->pcg.r, v->x, v->smooth.b));
    TRY(smooth_penalty(&v->smooth, v->x, v->numbers, PENALTY));
    return spread_read(v->smooth.op->spread, v->now, v->numbers);
}

/* Returns <r, r>, or one of the numbers behind it. */
static double dot(const solver *v, int which)
{
    return v->now[(v->options->preconditioner ? GRADIENT : v->pcg.gamma) + which];
}

static double gradient(const solver *v)
{
    return sqrt(dot(v, 0));
}

/* Returns |W^1/2 (y - A x)|^2, exact to a few roundings of |W^1/2 y|^2. */
static double data_energy(const solver *v)
{
    const double data = v->smooth.energy - dot(v, X_B) - dot(v, X_R) - 2 * v->now[PENALTY];
    return isnan(data) ? data : fmax(0, data);
}

static argand_status report(const solver *v, int iteration)
{
    return watch_report(&v->watch, iteration, data_energy(v), gradient(v), v->now[PENALTY]);
}

static argand_status begin(solver *v, const argand_array *x)
{
    double unit;
    TRY(argand_array_norm(&unit, v->smooth.b));
    TRY(spread_same(v->smooth.op->spread, &unit, 1));
    v->watch.gradient_unit = unit;
    v->watch.residual_unit = sqrt(v->smooth.energy);
    TRY(argand_array_copy(v->pcg.r, v->smooth.b));
    if (v->options->use_start) {
        TRY(argand_array_copy(v->x, x));
        TRY(smooth_gradient(&v->smooth, v->pcg.r, v->x, v->numbers, DATA));
        TRY(argand_array_scale(v->pcg.r, (argand_scalar){-1, 0}));
    }
    TRY(pcg_begin(&v->pcg));
    TRY(fetch(v));
    if (unit == 0) v->watch.gradient_unit = gradient(v);
    v->least = gradient(v);
    return report(v, 0);
}

static bool was_near_rounding(const solver *v)
{
    const double near_rounding = 1e3 * type_rounding(argand_op_domain(v->smooth.op)->type);
    return v->least <= near_rounding * v->watch.gradient_unit;
}

/* Returns true if further iterations only amplify rounding. If H is singular, a gradient near rounding
 * grows again along directions that H maps to 0 up to its errors, until a curvature is negative. */
static bool is_spent(const solver *v)
{
    return was_near_rounding(v) && gradient(v) > 30 * v->least;
}

/* Returns true if the gradient is as small as asked for, or as rounding makes it: eps |H| |x|. */
static bool converged(const solver *v)
{
    if (is_spent(v) || v->now[v->pcg.gamma] == 0) return true;
    const double floor = 4 * type_rounding(argand_op_domain(v->smooth.op)->type) *
                         (v->watch.gradient_unit + v->norm * sqrt(dot(v, X_X)));
    return gradient(v) <= fmax(v->options->tolerance * v->watch.gradient_unit, v->norm > 0 ? floor : 0);
}

/* Makes one iteration. *spent: the step had no length and x did not change, as nothing but rounding was
 * left. */
static argand_status iterate(solver *v, int iteration, bool *spent)
{
    const double gamma = v->now[v->pcg.gamma];
    CHECK(gamma > 0, ARGAND_NUMERIC,
          "argand_solve_cg: the preconditioner is not positive (%g in iteration %d)", gamma, iteration);
    TRY(pcg_step(&v->pcg, v->x));
    TRY(fetch(v));
    const double delta = v->now[PCG_DELTA];
    CHECK(isfinite(delta), ARGAND_NUMERIC,
          "argand_solve_cg: NaN or overflow in iteration %d: the operator gave it", iteration);
    *spent = delta <= 0 && was_near_rounding(v);
    CHECK(delta > 0 || *spent, ARGAND_NUMERIC,
          "argand_solve_cg: the normal operator is not positive (curvature %g in iteration %d); make it to a "
          "smaller "
          "tolerance, or leave it out",
          delta, iteration);
    if (*spent) return ARGAND_OK;
    if (!v->options->preconditioner) v->norm = fmax(v->norm, delta / gamma);
    v->least = fmin(v->least, gradient(v));
    return ARGAND_OK;
}

static argand_status run(solver *v, const argand_array *x)
{
    argand_outcome outcome = {.iteration = 0};
    bool noise = false, spent = false;
    TRY(begin(v, x));
    stopping_begin(&v->stopping, v->smooth.energy, 10 * type_rounding(argand_op_domain(v->smooth.op)->type),
                   v->now[v->pcg.gamma]);
    while (!noise && outcome.iteration < v->watch.iterations && !converged(v)) {
        const double gamma = v->now[v->pcg.gamma];
        TRY(iterate(v, outcome.iteration + 1, &spent));
        if (spent) break;
        outcome.iteration++;
        TRY(stopping_look(&v->stopping, gamma / v->now[PCG_DELTA], v->now[v->pcg.gamma] / gamma,
                          data_energy(v), v->x, &noise));
        TRY(report(v, outcome.iteration));
    }
    outcome.stop = noise                   ? ARGAND_STOP_NOISE
                   : spent || converged(v) ? ARGAND_STOP_CONVERGED
                                           : ARGAND_STOP_ITERATIONS;
    TRY(stopping_end(&v->stopping, v->x, &outcome));
    if (v->options->outcome) *v->options->outcome = outcome;
    return ARGAND_OK;
}

argand_status cg_normal(argand_array *x, const argand_op *op, const argand_array *y,
                        const argand_cg_options *o)
{
    solver v = {.options = o,
                .watch = {.monitor = o->monitor,
                          .context = o->monitor_context,
                          .iterations = o->iterations ? o->iterations : 10,
                          .started = clock_seconds(),
                          .spread = op->spread}};
    argand_status status = make(&v, op, y);
    if (status == ARGAND_OK) status = run(&v, x);
    if (v.x && (status == ARGAND_OK || status == ARGAND_STOPPED)) {
        const argand_status copied = argand_array_copy(x, v.x);
        if (copied != ARGAND_OK) status = copied;
    }
    release(&v);
    return status;
}
