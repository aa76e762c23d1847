/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/stopping.h"

#include <math.h>
#include "array/array.h"

/* Improvements of less than a hundredth of what noise is explained away by do not count (many coils measure
 * each pixel often, and the function then hardly moves), and so many iterations without one end it. */
static double least_gain(double explained)
{
    return fmin(3e-3, 0.01 * explained);
}
enum { PATIENCE = 2 };

argand_status stopping_make(stopping *s, const argand_noise_spectrum *noise, const argand_array *x)
{
    int64_t dims[ARGAND_MAX_RANK];
    *s = (stopping){.noise = noise, .least = INFINITY};
    if (!noise) return ARGAND_OK;
    for (int i = 0; i < noise->count; i++) s->residual[i] = s->direction[i] = 1;
    for (int d = 0; d < argand_array_rank(x); d++) dims[d] = argand_array_dim(x, d);
    return argand_array_create(&s->image, argand_array_device(x), argand_array_type(x), argand_array_rank(x),
                               dims);
}

void stopping_begin(stopping *s, double energy, double exact)
{
    s->floor = energy * exact;
}

void stopping_release(stopping *s)
{
    argand_array_destroy(s->image);
    s->image = NULL;
}

/* CG's three recurrences at each node. What rounding makes of them far from the data's own eigenvalues is
 * bounded: a filter of theta P outside of 0 to 3/2 is none of CG's. */
static void advance(stopping *s, double alpha, double beta)
{
    for (int i = 0; i < s->noise->count; i++) {
        const double theta = s->noise->node[i];
        s->filter[i] += alpha * s->direction[i];
        s->residual[i] -= alpha * theta * s->direction[i];
        s->direction[i] = s->residual[i] + beta * s->direction[i];
    }
}

/* The trace above, and what the variance of a sample is to be multiplied by to be that of the image's energy.
 */
static void of_noise(const stopping *s, double *freedom, double *energy)
{
    *freedom = *energy = 0;
    for (int i = 0; i < s->noise->count; i++) {
        const double theta = s->noise->node[i];
        const double filter = theta > 0 ? fmin(fmax(theta * s->filter[i], 0), 1.5) / theta : 0;
        *freedom += s->noise->weight[i] * filter;
        *energy += s->noise->weight[i] * filter * filter;
    }
    *freedom = fmin(*freedom, 0.99 * s->noise->total);
}

argand_status stopping_look(stopping *s, double alpha, double beta, double energy, const argand_array *x,
                            bool *over)
{
    double freedom, spread, norm;
    if (!s->noise) return ARGAND_OK;
    s->iteration++;
    advance(s, alpha, beta);
    of_noise(s, &freedom, &spread);
    const double left = s->noise->total - freedom, value = energy / (left * left);
    if (value < s->least * (1 - least_gain(freedom / s->noise->total)) || energy <= s->floor) {
        s->least = value;
        TRY(argand_array_norm(&norm, x));
        s->best = (argand_outcome){.iteration = s->iteration,
                                   .noise = norm > 0 ? sqrt(energy / left * spread) / norm : 0};
        return argand_array_copy(s->image, x);
    }
    *over = s->iteration - s->best.iteration >= PATIENCE;
    return ARGAND_OK;
}

argand_status stopping_end(const stopping *s, argand_array *x, argand_outcome *outcome)
{
    if (!s->noise || !s->best.iteration) return ARGAND_OK;
    outcome->noise = s->best.noise;
    if (outcome->stop != ARGAND_STOP_NOISE) return ARGAND_OK;
    outcome->iteration = s->best.iteration;
    return argand_array_copy(x, s->image);
}
