/* SPDX-License-Identifier: BSD-3-Clause */
/* Penalty psi(t) = delta^2 (sqrt(1 + |t / delta|^2) - 1) of each difference: quadratic below delta, linear
 * above. */
#include "penalty/penalty.h"

static argand_status run(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum)
{
    return shrink(SHRINK_HYPERBOLA, y, x, 1, t, p->delta, sum);
}

static argand_status make(prox **p, const argand_regularizer *r, argand_device *device,
                          const argand_shape *shape, int space)
{
    (void)r, (void)device, (void)shape, (void)space;
    return prox_make_pointwise(p, run, 1);
}

static argand_status curvatures(argand_array *w, const argand_array *x, double delta, const tally *sum)
{
    return shrink(SHRINK_WEIGHTS, w, x, 1, 0, delta, sum);
}

static bool parse(argand_regularizer *r, const char *option)
{
    return penalty_number(option, &r->delta) && r->delta > 0;
}

const penalty_kind penalty_hyperbola = {
    .id = ARGAND_HYPERBOLA,
    .name = "hyperbola",
    .form = "hyperbola:WEIGHT[:DELTA]",
    .summary = "a hyperbola of differences",
    .formula = "sum_d sum delta^2 (sqrt(1 + |C_d x / delta|^2) - 1)",
    .usual = 0.05,
    .of_gradient = true,
    .degree = 2,
    .parse = parse,
    .prox = make,
    .curvatures = curvatures,
};
