/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides after each CG iteration whether later ones add more noise than signal, and keeps the best
 * iterate (Golub, Heath and Wahba, Technometrics 21:215, 1979). */
#include "solve/stopping.h"

#include <math.h>
#include "array/array.h"

/* Returns the relative improvement of the function that counts: a hundredth of the part of freedom that is
 * used up, at most 0.003. With many coils, which measure each pixel often, the function hardly changes.
 * PATIENCE iterations without such an improvement end the search. */
static double least_gain(double explained)
{
    return fmin(3e-3, 0.01 * explained);
}
enum { PATIENCE = 2 };

/* The energy of aliasing and blur that an iterate may still have, as parts of its noise's energy and of
 * the image's. */
static const double BIAS_OF_NOISE = 0.2, BIAS_OF_IMAGE = 1e-3;
/* Aliasing is structure that looks like anatomy: its energy counts four times that of noise. */
static const double BIAS_WEIGHT = 4;

argand_status stopping_make(stopping *s, const argand_noise_spectrum *noise, const argand_array *x)
{
    int64_t dims[ARGAND_MAX_RANK];
    *s = (stopping){.noise = noise};
    if (!noise) return ARGAND_OK;
    for (int i = 0; i < noise->count; i++) s->residual[i] = s->direction[i] = 1;
    for (int d = 0; d < argand_array_rank(x); d++) dims[d] = argand_array_dim(x, d);
    return argand_array_create(&s->image, argand_array_device(x), argand_array_type(x), argand_array_rank(x),
                               dims);
}

void stopping_begin(stopping *s, double energy, double exact, double gradient)
{
    s->floor = energy * exact;
    s->length = s->gradient = gradient;
}

void stopping_release(stopping *s)
{
    argand_array_destroy(s->image);
    s->image = NULL;
}

/* Adds the step alpha p to a path. The next direction is s + beta p, and s is orthogonal to all earlier
 * directions. */
static void walk(stopping_path *path, double alpha, double beta, double length)
{
    path->square += 2 * alpha * path->lean + alpha * alpha * length;
    path->lean = beta * (path->lean + alpha * length);
}

/* Advances CG's three recurrences at each node, and the paths. */
static void advance(stopping *s, double alpha, double beta)
{
    for (int i = 0; i < s->noise->count; i++) {
        const double theta = s->noise->node[i];
        s->filter[i] += alpha * s->direction[i];
        s->residual[i] -= alpha * theta * s->direction[i];
        s->direction[i] = s->residual[i] + beta * s->direction[i];
    }
    walk(&s->walked, alpha, beta, s->length);
    walk(&s->best.since, alpha, beta, s->length);
    s->gradient *= beta;
    s->length = s->gradient + beta * beta * s->length;
}

/* Bounds the filters P: rounding spoils the recurrence at nodes far from the data's own eigenvalues, and
 * theta P of a true filter lies within 0 and 3/2. */
static void bounded_filter(const stopping *s, double *filter)
{
    for (int i = 0; i < s->noise->count; i++) {
        const double theta = s->noise->node[i];
        filter[i] = theta > 0 ? fmin(fmax(theta * s->filter[i], 0), 1.5) / theta : 0;
    }
}

/* Returns the trace of W times the map from y to A x_k, the degrees of freedom that are used up
 * (stopping.h). */
static double freedom_of(const stopping *s, const double *filter)
{
    double sum = 0;
    for (int i = 0; i < s->noise->count; i++) sum += s->noise->weight[i] * filter[i];
    return fmin(sum, 0.99 * s->noise->total);
}

/* Returns the energy of (P - Q) A^H W n for noise n of variance 1; other: Q, or NULL for 0. */
static double noise_energy(const stopping *s, const double *filter, const double *other)
{
    double sum = 0;
    for (int i = 0; i < s->noise->count; i++) {
        const double difference = filter[i] - (other ? other[i] : 0);
        sum += s->noise->weight[i] * difference * difference;
    }
    return sum;
}

/* Returns true if later iterations have made the best iterate no better: the aliasing and blur that they took
 * away are small compared with its noise or with the image, or cost far more noise. variance: that of a
 * sample's noise. After more iterations than the quadrature has nodes the noise of a difference is not known,
 * and the function alone decides. */
static bool is_at_rest(const stopping *s, const double *filter, double variance)
{
    const stopping_candidate *c = &s->best;
    if (s->iteration > ARGAND_NOISE_NODES) return true;
    const double bias = c->since.square - variance * noise_energy(s, filter, c->filter);
    const double before = variance * noise_energy(s, c->filter, NULL);
    const double after = variance * noise_energy(s, filter, NULL);
    return bias <= fmax(BIAS_OF_NOISE * before, BIAS_OF_IMAGE * c->norm) ||
           BIAS_WEIGHT * bias <= after - before;
}

/* Takes the current iterate as the best so far. */
static argand_status take(stopping *s, const double *filter, double value, double variance,
                          const argand_array *x)
{
    const double noise = variance * noise_energy(s, filter, NULL), norm = s->walked.square;
    s->best = (stopping_candidate){
        .outcome = {.iteration = s->iteration, .noise = norm > 0 ? sqrt(noise / norm) : 0},
        .value = value,
        .norm = norm};
    for (int i = 0; i < s->noise->count; i++) s->best.filter[i] = filter[i];
    return argand_array_copy(s->image, x);
}

argand_status stopping_look(stopping *s, double alpha, double beta, double energy, const argand_array *x,
                            bool *over)
{
    double filter[ARGAND_NOISE_NODES];
    if (!s->noise) return ARGAND_OK;
    s->iteration++;
    advance(s, alpha, beta);
    bounded_filter(s, filter);
    const double freedom = freedom_of(s, filter), left = s->noise->total - freedom;
    const double value = energy / (left * left), variance = energy / left;
    const bool first = s->best.outcome.iteration == 0;
    if (first || value < s->best.value * (1 - least_gain(freedom / s->noise->total)) || energy <= s->floor)
        return take(s, filter, value, variance, x);
    if (s->iteration - s->best.outcome.iteration < PATIENCE) return ARGAND_OK;
    *over = is_at_rest(s, filter, variance);
    return *over ? ARGAND_OK : take(s, filter, value, variance, x);
}

argand_status stopping_end(const stopping *s, argand_array *x, argand_outcome *outcome)
{
    if (!s->noise || !s->best.outcome.iteration) return ARGAND_OK;
    outcome->noise = s->best.outcome.noise;
    if (outcome->stop != ARGAND_STOP_NOISE) return ARGAND_OK;
    outcome->iteration = s->best.outcome.iteration;
    return argand_array_copy(x, s->image);
}
