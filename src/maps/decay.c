/* SPDX-License-Identifier: BSD-3-Clause */
/* The fit of a pixel's complex echoes by variable projection (Golub, Pereyra, SIAM J. Numer. Anal. 10:413,
 * 1973) in the complex parameter s = r2star + i omega (Yu et al., J. Magn. Reson. Imaging 26:1153, 2007). The
 * signal is analytic in s, so that a step is one complex quotient, and the variances of r2star and omega are
 * equal and uncorrelated. */
#include "maps/maps.h"

#include <math.h>

enum { ITERATIONS = 40, HALVINGS = 8 };
static const double STILL = 1e-7; /* the iteration ends when s times the last echo time moves less */

/* Avoids the library's product of complex numbers, which treats infinities apart. */
static inline double complex times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double square(double complex a)
{
    return creal(a) * creal(a) + cimag(a) * cimag(a);
}

/* Inverts the normal matrix of one or two columns. A second column that depends on the first gets 0. */
static void invert(int terms, double g00, double g11, double complex g01, decay_fit *f)
{
    const double determinant = g00 * g11 - square(g01);
    const bool single = terms == 1 || determinant <= 1e-14 * g00 * g11;
    f->inverse[0][0] = single ? (g00 > 0 ? 1 / g00 : 0) : g11 / determinant;
    f->inverse[1][1] = single ? 0 : g00 / determinant;
    f->inverse[0][1] = single ? 0 : -g01 / determinant;
    f->inverse[1][0] = conj(f->inverse[0][1]);
}

static void solve(const decay_fit *f, const double complex h[2], double complex x[2])
{
    for (int l = 0; l < 2; l++) x[l] = times(f->inverse[l][0], h[0]) + times(f->inverse[l][1], h[1]);
}

void decay_project(const decay_model *m, const double complex *y, decay_fit *f)
{
    double complex a[2][MOST_ECHOES], h[2] = {0, 0}, c[2] = {0, 0}, g01 = 0;
    double g00 = 0, g11 = 0, length = 0;
    for (int e = 0; e < m->echoes; e++) {
        const double t = m->times[e], size = exp(-f->r2star * t);
        const double complex g = CMPLX(size * cos(f->omega * t), -size * sin(f->omega * t));
        a[0][e] = times(g, m->basis[0][e]);
        a[1][e] = m->terms > 1 ? times(g, m->basis[1][e]) : 0;
        g00 += square(a[0][e]);
        g11 += square(a[1][e]);
        g01 += times(conj(a[0][e]), a[1][e]);
        for (int l = 0; l < 2; l++) h[l] += times(conj(a[l][e]), y[e]);
    }
    invert(m->terms, g00, g11, g01, f);
    solve(f, h, f->amplitude);
    f->residual = 0;
    f->slope = 0;
    for (int e = 0; e < m->echoes; e++) {
        const double complex model = times(f->amplitude[0], a[0][e]) + times(f->amplitude[1], a[1][e]);
        const double complex b = -m->times[e] * model, rest = y[e] - model;
        f->residual += square(rest);
        f->slope += times(conj(b), rest);
        length += square(b);
        for (int l = 0; l < 2; l++) c[l] += times(conj(a[l][e]), b);
    }
    solve(f, c, f->coupling);
    const double inside = creal(times(conj(c[0]), f->coupling[0]) + times(conj(c[1]), f->coupling[1]));
    f->information = fmax(length - inside, 1e-12 * length);
}

/* Makes a step of s times `part`. */
static decay_fit step(const decay_model *m, const double complex *y, const decay_fit *f, double part)
{
    decay_fit next = *f;
    next.r2star = fmin(fmax(f->r2star + part * creal(f->slope) / f->information, m->least), m->most);
    next.omega += part * cimag(f->slope) / f->information;
    decay_project(m, y, &next);
    return next;
}

void decay_refine(const decay_model *m, const double complex *y, decay_fit *f)
{
    const double last = m->times[m->echoes - 1];
    f->r2star = fmin(fmax(f->r2star, m->least), m->most);
    decay_project(m, y, f);
    for (int i = 0; i < ITERATIONS && f->information > 0; i++) {
        decay_fit next = step(m, y, f, 1);
        for (int h = 1; h <= HALVINGS && !(next.residual <= f->residual); h++)
            next = step(m, y, f, ldexp(1, -h));
        if (!(next.residual <= f->residual)) break;
        const double moved = fabs(next.r2star - f->r2star) + fabs(next.omega - f->omega);
        *f = next;
        if (moved * last < STILL) break;
    }
}

double decay_variance(const decay_model *m, const decay_fit *f)
{
    const int freedom = 2 * (m->echoes - m->terms - 1);
    return freedom > 0 ? f->residual / freedom : 0;
}
