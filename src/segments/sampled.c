/* SPDX-License-Identifier: BSD-3-Clause */
/* Barycentric interpolation in Chebyshev points: Berrut and Trefethen, SIAM Rev. 46:501, 2004. */
#include "segments/sampled.h"

#include "base/cpu.h"
#include "base/pi.h"
#include "base/whole.h"

enum { MOST_PANELS = 1 << 24 };

/* Sets the Chebyshev points. A panel contains at most one turn, whose expansion in Chebyshev polynomials
 * is below 1e-15 from degree 20 on. */

static void set_nodes(sampled *s)
{
    for (int j = 0; j < SAMPLED_NODES; j++) s->node[j] = -cos(PI * j / (SAMPLED_NODES - 1));
}

static double complex argument(const sampled *s, double x)
{
    return s->imaginary ? CMPLX(0, x) : CMPLX(x, 0);
}

static void fill_panel(const sampled *s, const factor *f, int panel)
{
    const double width = (s->high - s->low) / s->panels;
    double complex out[FACTOR_MOST_TERMS];
    for (int j = 0; j < SAMPLED_NODES; j++) {
        const double x = s->low + width * (panel + (1 + s->node[j]) / 2);
        double *row = s->value + 2 * (size_t)s->terms * ((size_t)panel * SAMPLED_NODES + (size_t)j);
        const double complex slow = decayed(-s->carrier, argument(s, x));
        factor_at(f, argument(s, x), out);
        for (int l = 0; l < s->terms; l++) {
            const double complex value = times(out[l], slow);
            row[l] = creal(value);
            row[l + s->terms] = cimag(value);
        }
    }
}

argand_status sampled_make(sampled *s, const factor *f, double low, double high, double turns, bool imaginary,
                           double complex carrier)
{
    *s = (sampled){.panels = 1 + (int)whole(turns, 0, MOST_PANELS),
                   .terms = f->terms,
                   .low = low,
                   .high = high,
                   .imaginary = imaginary,
                   .carrier = carrier};
    set_nodes(s);
    TRY(NEW(s->value, 2 * (size_t)s->terms * SAMPLED_NODES * (size_t)s->panels));
#pragma omp parallel for schedule(static) num_threads(cpu_threads(0))
    for (int i = 0; i < s->panels; i++) fill_panel(s, f, i);
    return ARGAND_OK;
}

/* Computes the weights of the nodes at x in [-1, 1]; they add up to 1. */
static void weights(double *weight, const sampled *s, double x)
{
    double sum = 0;
    for (int j = 0; j < SAMPLED_NODES; j++) {
        const double away = x - s->node[j];
        if (away == 0) {
            for (int i = 0; i < SAMPLED_NODES; i++) weight[i] = i == j;
            return;
        }
        weight[j] = (j % 2 ? -1 : 1) * (j == 0 || j == SAMPLED_NODES - 1 ? 0.5 : 1) / away;
        sum += weight[j];
    }
    for (int j = 0; j < SAMPLED_NODES; j++) weight[j] /= sum;
}

void sampled_at(const sampled *s, double x, double complex *out)
{
    const double place = s->high > s->low ? (x - s->low) / (s->high - s->low) * s->panels : 0;
    const int panel = (int)whole(place, 0, s->panels - 1), terms = s->terms;
    double weight[SAMPLED_NODES], sum[2 * FACTOR_MOST_TERMS] = {0};
    weights(weight, s, 2 * (place - panel) - 1);
    for (int j = 0; j < SAMPLED_NODES; j++) {
        const double *row = s->value + 2 * (size_t)terms * ((size_t)panel * SAMPLED_NODES + (size_t)j);
#pragma omp simd
        for (int l = 0; l < 2 * terms; l++) sum[l] += weight[j] * row[l];
    }
    const double complex fast = decayed(s->carrier, argument(s, x));
    for (int l = 0; l < terms; l++) out[l] = times(CMPLX(sum[l], sum[l + terms]), fast);
}

void sampled_release(sampled *s)
{
    memory_free(s->value);
    *s = (sampled){0};
}
