/* SPDX-License-Identifier: BSD-3-Clause */
/* The fit of a pixel's magnitudes. A magnitude with the signal s and noise of standard deviation sigma in
 * both parts has the mean square s^2 + 2 sigma^2 with the variance 4 sigma^2 (s^2 + sigma^2), exactly and at
 * every signal (Rice). These two moments give an unbiased equation for the parameters, which Fisher scoring
 * solves (quasi-likelihood: Wedderburn, Biometrika 61:439, 1974). Without noise it is the fit by least
 * squares. */
#include "maps/maps.h"

#include <math.h>
#include <stdlib.h>

enum { ITERATIONS = 60 };
static const double STILL = 1e-8;

/* Sums for a step of log amplitude and r2star. */
typedef struct scoring {
    double f00, f01, f11, s0, s1;
} scoring;

static scoring score(const echo_data *d, const double *y, double noise, const magnitude_fit *f)
{
    scoring k = {0};
    for (int e = 0; e < d->echoes; e++) {
        const double t = d->times[e], s = f->amplitude * exp(-f->r2star * t), v = noise * noise;
        const double weight = noise > 0 ? s * s * s * s / (v * (s * s + v)) : s * s;
        const double rest =
            noise > 0 ? (y[e] * y[e] - s * s - 2 * v) * s * s / (2 * v * (s * s + v)) : (y[e] - s) * s;
        k.f00 += weight;
        k.f01 -= weight * t;
        k.f11 += weight * t * t;
        k.s0 += rest;
        k.s1 -= rest * t;
    }
    return k;
}

/* Computes a start by the line through the logarithms, weighted by the squared magnitudes. */
static void start(const echo_data *d, const double *y, double noise, magnitude_fit *f)
{
    double w = 0, wt = 0, wtt = 0, wl = 0, wtl = 0, most = 0;
    for (int e = 0; e < d->echoes; e++) most = fmax(most, y[e]);
    for (int e = 0; e < d->echoes; e++) {
        const double t = d->times[e], signal = fmax(y[e] * y[e] - 2 * noise * noise, 1e-6 * most * most);
        const double l = 0.5 * log(signal);
        w += signal;
        wt += signal * t;
        wtt += signal * t * t;
        wl += signal * l;
        wtl += signal * t * l;
    }
    const double determinant = w * wtt - wt * wt;
    const double slope = determinant > 0 ? (w * wtl - wt * wl) / determinant : 0;
    f->r2star = fmin(fmax(-slope, echoes_least_decay(d)), echoes_most_decay(d));
    f->amplitude = exp((wl + f->r2star * wt) / w);
}

/* Returns the sum of squared residuals; with noise, of the squared magnitudes over their variance. */
static double residual_of(const echo_data *d, const double *y, double noise, const magnitude_fit *f)
{
    double sum = 0;
    for (int e = 0; e < d->echoes; e++) {
        const double s = f->amplitude * exp(-f->r2star * d->times[e]), v = noise * noise;
        const double rest = y[e] * y[e] - s * s - 2 * v;
        sum += noise > 0 ? rest * rest / (4 * v * (s * s + v)) : (y[e] - s) * (y[e] - s);
    }
    return sum;
}

/* Returns x within +-most. */
static double within(double x, double most)
{
    return fmin(fmax(x, -most), most);
}

/* Returns true if a pixel has no signal in any echo, from which logarithms cannot start. */
static bool is_zero(const echo_data *d, const double *y)
{
    for (int e = 0; e < d->echoes; e++)
        if (y[e] != 0) return false;
    return true;
}

void magnitude_solve(const echo_data *d, const double *y, double noise, magnitude_fit *f)
{
    const double last = d->times[d->echoes - 1], least = echoes_least_decay(d), most = echoes_most_decay(d);
    double determinant = 0;
    scoring k = {0};
    if (is_zero(d, y)) {
        *f = (magnitude_fit){.r2star = least, .error = most};
        return;
    }
    start(d, y, noise, f);
    for (int i = 0; i < ITERATIONS; i++) {
        k = score(d, y, noise, f);
        determinant = k.f00 * k.f11 - k.f01 * k.f01;
        if (!(determinant > 1e-12 * k.f00 * k.f11)) break;
        const double decay = within((k.f00 * k.s1 - k.f01 * k.s0) / determinant, 1 / last) + f->r2star;
        const double change = fmin(fmax(decay, least), most) - f->r2star;
        const double grow = within((k.s0 - k.f01 * change) / k.f00, 1);
        f->r2star += change;
        f->amplitude *= exp(grow);
        if (fabs(change) * last + fabs(grow) < STILL) break;
    }
    f->residual = residual_of(d, y, noise, f);
    const int freedom = d->echoes - 2;
    const double variance = noise > 0 ? 1 : freedom > 0 ? f->residual / freedom : 0;
    f->error = determinant > 1e-12 * k.f00 * k.f11 ? fmin(sqrt(variance * k.f00 / determinant), most) : most;
}

typedef struct strong {
    double energy, residual;
    int64_t pixel;
} strong;

static int by_energy(const void *a, const void *b)
{
    const strong *x = a, *y = b;
    if (x->energy != y->energy) return x->energy < y->energy ? 1 : -1;
    return (x->pixel > y->pixel) - (x->pixel < y->pixel);
}

static int by_residual(const void *a, const void *b)
{
    const strong *x = a, *y = b;
    return (x->residual > y->residual) - (x->residual < y->residual);
}

/* Returns the median residual of fits with this noise, for each degree of freedom. */
static double median(const echo_data *d, strong *list, int64_t count, double noise)
{
    const int freedom = d->echoes - 2;
#pragma omp parallel for schedule(static) num_threads(d->threads)
    for (int64_t j = 0; j < count; j++) {
        double y[MOST_ECHOES];
        magnitude_fit f;
        for (int e = 0; e < d->echoes; e++) y[e] = d->values[e * d->pixels + list[j].pixel];
        magnitude_solve(d, y, noise, &f);
        list[j].residual = f.residual;
    }
    qsort(list, (size_t)count, sizeof *list, by_residual);
    /* the median of chi squared over its degrees of freedom, by Wilson and Hilferty */
    const double part = 1 - 2 / (9.0 * freedom);
    return list[count / 2].residual / (freedom * part * part * part);
}

argand_status magnitude_noise(const echo_data *d, double *noise)
{
    enum { MOST_PIXELS = 20000, STEPS = 3 };
    strong *list;
    int64_t count = 0;
    *noise = 0;
    if (d->echoes < 3) return ARGAND_OK;
    TRY(NEW(list, d->inside));
    for (int64_t i = 0; i < d->pixels; i++) {
        if (!d->mask[i]) continue;
        list[count].pixel = i;
        for (int e = 0; e < d->echoes; e++)
            list[count].energy += d->values[e * d->pixels + i] * d->values[e * d->pixels + i];
        count++;
    }
    qsort(list, (size_t)count, sizeof *list, by_energy);
    count = (count + 3) / 4 < MOST_PIXELS ? (count + 3) / 4 : MOST_PIXELS;
    *noise = sqrt(median(d, list, count, 0));
    /* echoes at the noise floor have smaller residuals there than the fit with the floor expects */
    for (int i = 0; i<STEPS && * noise> 0; i++) *noise *= sqrt(median(d, list, count, *noise));
    memory_free(list);
    return ARGAND_OK;
}
