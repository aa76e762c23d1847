/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the weight of a regularizer from the data's noise, by Morozov's discrepancy principle (Soviet
 * Math. Dokl. 7:414, 1966). */
#include "solve/weight.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "op/spread.h"
#include "solve/problem.h"

/* The part of the unknowns that fits the data's noise. At the best weights of radial, spiral and Cartesian
 * scans it is 0.25 to 0.55. A smaller part is taken, as edges and details beyond the grid are better in
 * smoother images. Errors hardly differ between 0.1 and 0.3 (docs/performance/recon.md). */
static const double spent = 0.15;
/* Steps of least squares after those of the start; steps of a trial of one weight; trials. */
enum { LEAST_SQUARES = 30, TRIAL = 20, MOST_TRIALS = 7 };

/* Passes a trial's progress on to the caller's monitor. */
static bool keep_residual(void *context, const argand_progress *progress)
{
    weight_search *s = context;
    argand_progress told = *progress;
    s->residual = told.residual;
    told.trial = s->trial;
    return !s->monitor || s->monitor(s->monitor_context, &told);
}

static argand_status sum_weights(weight_search *s)
{
    op_spread *const spread = s->op->spread;
    const double own = (double)spread_own(spread, s->y);
    double sums[2] = {own, own};
    if (s->options.weights) {
        argand_scalar sum, squares;
        TRY(argand_array_sum(&sum, s->options.weights));
        TRY(argand_array_dot(&squares, s->options.weights, s->options.weights));
        sums[0] = sum.re;
        sums[1] = squares.re;
    }
    TRY(spread_sum(spread, sums, 2));
    s->count = spread_count(spread, s->y);
    s->sum = sums[0];
    s->squares = sums[1];
    CHECK(s->sum > 0, ARGAND_ARGUMENT, "argand_solve_weight: all density weights are 0");
    return ARGAND_OK;
}

/* Computes scales, the start, and then the image of least squares. Data without noise leave a gradient of
 * rounding after few steps, and later steps by a Toeplitz convolution would only enlarge it. */
static argand_status least_squares(weight_search *s)
{
    problem p;
    s->residual = 1;
    s->trial = 1;
    TRY(observe("choosing the weight", 0));
    argand_status status = solve_problem_open(&p, s->x, s->op, s->y, &s->options);
    if (status == ARGAND_OK) status = solve_problem_make(&p, s->x, s->y);
    if (status == ARGAND_OK) status = argand_array_copy(s->x, p.x);
    s->diagonal = p.diagonal;
    s->image_scale = p.image_scale;
    s->energy = p.smooth.energy;
    if (status == ARGAND_OK && s->options.largest == 0) s->options.largest = 1.02 * p.largest;
    const bool is_zero = p.watch.gradient_unit == 0;
    if (status == ARGAND_OK && !is_zero)
        status = argand_solve_cg(s->x, s->op, s->y,
                                 &(argand_cg_options){.iterations = LEAST_SQUARES,
                                                      .weights = s->options.weights,
                                                      .preconditioner = p.preconditioner,
                                                      .normal = s->options.normal,
                                                      .use_start = true,
                                                      .tolerance = 10 * type_rounding(s->x->type),
                                                      .monitor = keep_residual,
                                                      .monitor_context = s});
    solve_problem_release(&p);
    TRY(status);
    CHECK(!is_zero, ARGAND_NUMERIC,
          "argand_solve_weight: the data are 0 for the model: no weight can be chosen; give one");
    s->left = s->residual * s->residual * s->energy;
    return ARGAND_OK;
}

/* Returns the weight at which the search begins: a threshold of soft shrinkage for the noise of A^H W n. */
static double first_weight(const weight_search *s)
{
    const double noise = s->choice.noise * sqrt(s->diagonal * s->squares / s->sum);
    const double relative = s->options.absolute ? noise : noise / (s->diagonal * s->image_scale);
    const penalty_kind *kind = penalty_kind_of(s->list[s->which].kind);
    if (kind->degree == 1) return kind->threshold * relative;
    return s->options.absolute ? s->diagonal * pow(noise / (s->diagonal * s->image_scale), 2)
                               : relative * relative;
}

static argand_status try_weight(weight_search *s, double weight)
{
    argand_solve_options options = s->options;
    s->list[s->which].weight = weight;
    s->choice.weight = weight;
    s->choice.solves++;
    options.iterations = TRIAL;
    options.tolerance = 0;
    options.diagonal = s->diagonal;
    options.image_scale = s->image_scale;
    options.use_start = true;
    options.monitor = keep_residual;
    options.monitor_context = s;
    s->trial++;
    TRY(observe("choosing the weight", (double)(s->trial - 1) / (MOST_TRIALS + 1)));
    TRY(argand_solve(s->x, s->op, s->y, &options));
    s->choice.residual = s->residual;
    return ARGAND_OK;
}

/* Returns the logarithm of the residual beyond that of least squares, relative to its target. */
static double excess(const weight_search *s, double wanted)
{
    return log(fmax(s->residual * s->residual * s->energy - s->left, 1e-3 * wanted) / wanted);
}

/* The target is a small difference of two residuals, so a slightly wrong noise level changes the weight
 * much; the threshold is only as wrong as the level. So if the level was not measured, the weight must
 * stay near the threshold. */
static double limited(const weight_search *s, double weight)
{
    const double first = first_weight(s);
    if (!penalty_kind_of(s->list[s->which].kind)->keeps_to_noise || !strcmp(s->choice.source, "given"))
        return weight;
    return fmin(1.5 * first, fmax(first / 1.5, weight));
}

/* Finds the weight by secant steps on the logarithms; each weight's trial starts from the last image. The
 * residual of least squares is computed from the noise, which is more exact than a few steps, unless the
 * model's errors exceed the noise. */
static argand_status find_weight(weight_search *s)
{
    const double noise = s->choice.noise * s->choice.noise * s->sum,
                 wanted = (1 - spent) * noise * s->unknowns / s->count;
    double weight = first_weight(s), slope = 1.2, last_log = 0, last = 0;
    if (s->left < noise) s->left = noise * (1 - s->unknowns / s->count);
    s->choice.target = sqrt(fmin(1, (s->left + wanted) / s->energy));
    for (int i = 0; i < MOST_TRIALS; i++) {
        TRY(try_weight(s, weight));
        const double now = excess(s, wanted);
        if (fabs(now) < 0.1) break;
        if (i > 0 && fabs(log(weight) - last_log) > 1e-3)
            slope = fmin(2.5, fmax(0.5, (now - last) / (log(weight) - last_log)));
        last = now;
        last_log = log(weight);
        const double next = limited(s, weight * exp(fmin(2, fmax(-2, -now / slope))));
        if (next == weight) break;
        weight = next;
    }
    return ARGAND_OK;
}

static argand_status check_request(const argand_solve_options *o, int which, double noise)
{
    CHECK(o && o->regularizers && which >= 0 && which < o->regularizer_count &&
              o->regularizer_count <= ARGAND_MAX_REGULARIZERS,
          ARGAND_ARGUMENT, "argand_solve_weight: no regularizer %d whose weight could be chosen", which);
    CHECK(noise >= 0 && isfinite(noise), ARGAND_ARGUMENT,
          "argand_solve_weight: noise %g; give its standard deviation, or 0 where it is not known", noise);
    for (int i = 0; i < o->regularizer_count; i++)
        CHECK(i == which || !o->regularizers[i].automatic, ARGAND_ARGUMENT,
              "%s and %s: only one weight can be chosen automatically; give the other one",
              argand_regularizer_name(o->regularizers[which].kind),
              argand_regularizer_name(o->regularizers[i].kind));
    return ARGAND_OK;
}

static argand_status choose(argand_array *x, const argand_op *op, const argand_array *y,
                            const argand_solve_options *options, int which, double noise,
                            argand_weight_choice *choice)
{
    TRY(check_request(options, which, noise));
    weight_search *s;
    TRY(NEW(s, 1));
    argand_status status;
    *s = (weight_search){.op = op,
                         .y = y,
                         .x = x,
                         .options = *options,
                         .which = which,
                         .monitor = options->monitor,
                         .monitor_context = options->monitor_context};
    for (int i = 0; i < options->regularizer_count; i++) s->list[i] = options->regularizers[i];
    s->list[which].automatic = false;
    s->list[which].weight = 1;
    s->options.regularizers = s->list;
    s->options.use_start = false;
    TRY_OR_DONE(least_squares(s));
    TRY_OR_DONE(sum_weights(s));
    TRY_OR_DONE(weight_count_unknowns(s));
    TRY_OR_DONE(weight_find_noise(s, noise));
    TRY_OR_DONE(find_weight(s));
    s->options.diagonal = s->diagonal;
    s->options.image_scale = s->image_scale;
    s->options.use_start = true;
    if (choice) *choice = s->choice;
    status = argand_solve(x, op, y, &s->options);
done:
    memory_free(s);
    return status;
}

argand_status argand_solve_weight(argand_array *x, const argand_op *op, const argand_array *y,
                                  const argand_solve_options *options, int which, double noise,
                                  argand_weight_choice *choice)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_solve_weight: no operator");
    spread_begin(op->spread);
    return spread_end(op->spread, choose(x, op, y, options, which, noise, choice));
}
