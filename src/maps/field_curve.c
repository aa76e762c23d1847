/* SPDX-License-Identifier: BSD-3-Clause */
/* The residual of a pixel as a function of the field. For a fixed decay it is (E y)^H Q (E y), where E =
 * diag(exp(i w t)) and Q projects off the columns of water and fat: a sum of cosines, whose coefficients add
 * up over the pixels of a cell. */
#include "maps/field_start.h"

#include <math.h>
#include <string.h>
#include "base/pi.h"

/* Makes the projection off the columns of the model with this decay, by Gram and Schmidt's method. */
static void project_off(double complex off[MOST_ECHOES][MOST_ECHOES], const decay_model *m, double decay)
{
    double complex q[MOST_TERMS][MOST_ECHOES];
    for (int l = 0; l < m->terms; l++) {
        double square = 0;
        for (int e = 0; e < m->echoes; e++) q[l][e] = m->basis[l][e] * exp(-decay * m->times[e]);
        for (int k = 0; k < l; k++) {
            double complex along = 0;
            for (int e = 0; e < m->echoes; e++) along += conj(q[k][e]) * q[l][e];
            for (int e = 0; e < m->echoes; e++) q[l][e] -= along * q[k][e];
        }
        for (int e = 0; e < m->echoes; e++) square += creal(q[l][e] * conj(q[l][e]));
        for (int e = 0; e < m->echoes; e++) q[l][e] /= sqrt(square);
    }
    for (int e = 0; e < m->echoes; e++)
        for (int f = 0; f < m->echoes; f++) {
            off[e][f] = e == f;
            for (int l = 0; l < m->terms; l++) off[e][f] -= q[l][e] * conj(q[l][f]);
        }
}

/* Lists the different spacings of pairs of echoes. */
static void list_lags(field_curve *c, const echo_data *d, double *lags)
{
    const double same = 1e-6 * echoes_spacing(d);
    for (int e = 0; e < d->echoes; e++)
        for (int f = e + 1; f < d->echoes; f++) {
            const double lag = d->times[f] - d->times[e];
            int found = 0;
            while (found < c->lags && fabs(lags[found] - lag) > same) found++;
            if (found == c->lags) lags[c->lags++] = lag;
            c->lag_of[e][f] = found;
        }
}

argand_status curve_make(field_curve *c, const echo_data *d, const decay_model *m)
{
    enum { MOST_LAGS = MOST_ECHOES * (MOST_ECHOES - 1) / 2, STEPS = 16, MOST_STEPS = 1 << 14 };
    const double decays[DECAYS] = {0.2, 0.05, 0.5, 1, 3}; /* over the last echo time */
    const double span = d->times[d->echoes - 1] - d->times[0], reach = 1.25 * TWO_PI / echoes_spacing(d);
    double lags[MOST_LAGS];
    /* three echoes leave nothing to compare if the decay is free, too */
    *c = (field_curve){.echoes = d->echoes, .decays = d->echoes > 3 ? DECAYS : 1};
    list_lags(c, d, lags);
    c->steps = (int)fmin(STEPS * span * 2 * reach / TWO_PI, MOST_STEPS) + 3;
    c->first = -reach;
    c->step = 2 * reach / (c->steps - 1);
    for (int r = 0; r < c->decays; r++) project_off(c->off[r], m, decays[r] / d->times[d->echoes - 1]);
    TRY(NEW(c->cosines, (int64_t)c->lags * c->steps));
    TRY(NEW(c->sines, (int64_t)c->lags * c->steps));
    for (int l = 0; l < c->lags; l++)
        for (int k = 0; k < c->steps; k++) {
            const double angle = (c->first + k * c->step) * lags[l];
            c->cosines[(int64_t)l * c->steps + k] = (float)cos(angle);
            c->sines[(int64_t)l * c->steps + k] = (float)sin(angle);
        }
    return ARGAND_OK;
}

void curve_free(field_curve *c)
{
    memory_free(c->cosines);
    memory_free(c->sines);
}

int curve_size(const field_curve *c)
{
    return c->decays * (1 + 2 * c->lags);
}

void curve_add(const field_curve *c, const double complex *y, double *sums)
{
    for (int r = 0; r < c->decays; r++, sums += 1 + 2 * c->lags)
        for (int e = 0; e < c->echoes; e++) {
            const double re = creal(y[e]), im = cimag(y[e]);
            sums[0] += creal(c->off[r][e][e]) * (re * re + im * im);
            for (int f = e + 1; f < c->echoes; f++) {
                const double pr = re * creal(y[f]) + im * cimag(y[f]),
                             pi = re * cimag(y[f]) - im * creal(y[f]);
                const double qr = creal(c->off[r][e][f]), qi = cimag(c->off[r][e][f]);
                sums[1 + 2 * c->lag_of[e][f]] += qr * pr - qi * pi;
                sums[2 + 2 * c->lag_of[e][f]] += qr * pi + qi * pr;
            }
        }
}

void curve_evaluate(const field_curve *c, const double *sums, float *residual)
{
    enum { BLOCK = 128 };
    for (int start = 0; start < c->steps; start += BLOCK) {
        const int count = c->steps - start < BLOCK ? c->steps - start : BLOCK;
        for (int r = 0; r < c->decays; r++) {
            const double *s = sums + r * (1 + 2 * c->lags);
            float value[BLOCK];
            for (int k = 0; k < count; k++) value[k] = (float)s[0];
            for (int l = 0; l < c->lags; l++) {
                const float a = 2 * (float)s[1 + 2 * l], b = -2 * (float)s[2 + 2 * l];
                const float *cosine = c->cosines + (int64_t)l * c->steps + start;
                const float *sine = c->sines + (int64_t)l * c->steps + start;
                for (int k = 0; k < count; k++) value[k] += a * cosine[k] + b * sine[k];
            }
            for (int k = 0; k < count; k++)
                residual[start + k] =
                    r > 0 && residual[start + k] < value[k] ? residual[start + k] : value[k];
        }
    }
}
