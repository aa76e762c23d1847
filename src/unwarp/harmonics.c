/* SPDX-License-Identifier: BSD-3-Clause */
/* Solid harmonics R_nm = r^n P_nm(cos theta) e^(i m phi) / (n + m)! in Cartesian coordinates. They are
 * polynomials, so nothing is singular at the origin or on the axis, and derivatives are harmonics of order
 * n - 1: d/dz R_nm = R_(n-1)m, (d/dx - i d/dy) R_nm = R_(n-1)(m-1), (d/dx + i d/dy) R_nm = -R_(n-1)(m+1). */
#include "unwarp/unwarp.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

enum { TABLE = (MOST_ORDER + 1) * (MOST_ORDER + 2) / 2 };

static int place(int n, int m)
{
    return n * (n + 1) / 2 + m;
}

/* Returns R_nm for m from -1 on; 0 if there is none. */
static double complex solid(const double complex *r, int n, int m)
{
    if (n < 0 || m > n) return 0;
    if (m < 0) return n >= 1 ? -conj(r[place(n, 1)]) : 0;
    return r[place(n, m)];
}

static void fill(double complex *r, int order, const double p[3])
{
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    r[0] = 1;
    for (int m = 0; m <= order; m++) {
        if (m) r[place(m, m)] = CMPLX(p[0], p[1]) / (2 * m) * r[place(m - 1, m - 1)];
        for (int n = m + 1; n <= order; n++)
            r[place(n, m)] =
                ((2 * n - 1) * p[2] * r[place(n - 1, m)] - square * solid(r, n - 2, m)) / ((n - m) * (n + m));
    }
}

static double complex weight_of(const argand_gradient_term *t)
{
    double factorial = 1, ratio = 1;
    for (int k = 2; k <= t->n + t->m; k++) factorial *= k;
    for (int k = t->n - t->m + 1; k <= t->n + t->m; k++) ratio /= k;
    const double norm = t->m ? sqrt((2 * t->n + 1) / 2.0 * ratio) : 1;
    return norm * factorial * t->value * (t->sine ? CMPLX(0, -1) : 1);
}

static argand_status check_term(const argand_gradient_term *t)
{
    CHECK(t->axis >= 0 && t->axis <= 2, ARGAND_ARGUMENT, "gradient coefficients: axis %d; 0 to 2 are known",
          t->axis);
    CHECK(t->n >= 0 && t->n <= MOST_ORDER && t->m >= 0 && t->m <= t->n, ARGAND_ARGUMENT,
          "gradient coefficients: n = %d, m = %d; 0 <= m <= n <= %d is required", t->n, t->m, MOST_ORDER);
    CHECK(isfinite(t->value), ARGAND_ARGUMENT, "gradient coefficients: n = %d, m = %d is not finite", t->n,
          t->m);
    return ARGAND_OK;
}

argand_status harmonics_make(harmonics *h, const argand_gradient_coefficients *c)
{
    *h = (harmonics){0};
    CHECK(c, ARGAND_ARGUMENT, "unwarp: no gradient coefficients given");
    CHECK(c->radius > 0 && isfinite(c->radius), ARGAND_ARGUMENT,
          "gradient coefficients: the radius is %g mm; a positive one is required", c->radius);
    CHECK(c->count >= 1 && c->count <= MOST_GRADIENT_TERMS && c->terms, ARGAND_ARGUMENT,
          "gradient coefficients: %lld of them; 1 to %d are required", (long long)c->count,
          MOST_GRADIENT_TERMS);
    for (int64_t i = 0; i < c->count; i++) TRY(check_term(&c->terms[i]));
    h->radius = c->radius;
    TRY(NEW(h->terms, c->count));
    for (int64_t i = 0; i < c->count; i++) {
        const argand_gradient_term *t = &c->terms[i];
        if (t->value == 0) continue;
        h->terms[h->count++] = (harmonic){t->axis, t->n, t->m, weight_of(t)};
        if (t->n > h->order) h->order = t->n;
    }
    return ARGAND_OK;
}

void harmonics_free(harmonics *h)
{
    memory_free(h->terms);
}

void harmonics_at(const harmonics *h, const double position[3], double displacement[3], double jacobian[9])
{
    double complex r[TABLE];
    double p[3], d[3] = {0};
    for (int i = 0; i < 3; i++) p[i] = position[i] / h->radius;
    fill(r, h->order, p);
    memset(jacobian, 0, 9 * sizeof *jacobian);
    for (int64_t k = 0; k < h->count; k++) {
        const harmonic *t = &h->terms[k];
        const double complex below = solid(r, t->n - 1, t->m - 1), above = solid(r, t->n - 1, t->m + 1);
        double *row = jacobian + 3 * t->axis;
        d[t->axis] += creal(t->weight * r[place(t->n, t->m)]);
        row[0] += creal(t->weight * (below - above)) / 2;
        row[1] += creal(t->weight * I * (below + above)) / 2;
        row[2] += creal(t->weight * solid(r, t->n - 1, t->m));
    }
    for (int i = 0; i < 3; i++) displacement[i] = h->radius * d[i];
}

argand_status argand_gradient_displacement(double *displacement, double *jacobian, int64_t count,
                                           const double *positions,
                                           const argand_gradient_coefficients *coefficients)
{
    harmonics h;
    double rows[9];
    CHECK(displacement && positions && count >= 0, ARGAND_ARGUMENT,
          "argand_gradient_displacement: no positions or no place for displacements given");
    argand_status status = harmonics_make(&h, coefficients);
    for (int64_t i = 0; i < count && !status; i++)
        harmonics_at(&h, positions + 3 * i, displacement + 3 * i, jacobian ? jacobian + 9 * i : rows);
    harmonics_free(&h);
    return status;
}
