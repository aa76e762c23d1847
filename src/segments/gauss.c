/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the Gauss quadrature of a discrete measure. The Lanczos recurrence gives the three-term
 * recurrence of the orthogonal polynomials; the eigenvalues of its matrix are the nodes (Golub and Welsch,
 * Math. Comp. 23:221, 1969). Vectors are few, and each is orthogonalised against all earlier ones. */
#include "segments/gauss.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct recurrence {
    int count;
    double diagonal[GAUSS_MOST_NODES], off_diagonal[GAUSS_MOST_NODES], first[GAUSS_MOST_NODES];
} recurrence;

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Removes the components of v along basis[0..count-1], twice because of rounding; returns the remaining
 * length. */
static double make_orthogonal(double *v, double (*basis)[GAUSS_MOST_POINTS], int count, int n)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            const double part = dot(basis[k], v, n);
            for (int i = 0; i < n; i++) v[i] -= part * basis[k][i];
        }
    return sqrt(dot(v, v, n));
}

/* Runs the recurrence; x in [-1, 1], the weights add up to 1. */
static void lanczos(recurrence *r, const double *x, const double *weight, int points, int nodes)
{
    double basis[GAUSS_MOST_NODES + 1][GAUSS_MOST_POINTS];
    for (int i = 0; i < points; i++) basis[0][i] = sqrt(weight[i]);
    for (r->count = 0; r->count < nodes;) {
        const int k = r->count++;
        double *next = basis[k + 1];
        for (int i = 0; i < points; i++) next[i] = x[i] * basis[k][i];
        r->diagonal[k] = dot(next, basis[k], points);
        const double length = make_orthogonal(next, basis, k + 1, points);
        r->off_diagonal[k] = length;
        if (length < 1e-12) return; /* no further distinct points: the recurrence ends */
        for (int i = 0; i < points; i++) next[i] /= length;
    }
}

/* Does one step of the QL method with an implicit shift on rows l to m. */
static void ql_step(recurrence *r, int l, int m)
{
    double *d = r->diagonal, *e = r->off_diagonal, *z = r->first, s = 1, c = 1, p = 0;
    const double slope = (d[l + 1] - d[l]) / (2 * e[l]);
    double g = d[m] - d[l] + e[l] / (slope + copysign(hypot(slope, 1), slope));
    for (int i = m - 1; i >= l; i--) {
        const double f = s * e[i], b = c * e[i], length = hypot(f, g), above = z[i + 1];
        e[i + 1] = length;
        if (length == 0) {
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / length;
        c = g / length;
        g = d[i + 1] - p;
        const double t = (d[i] - g) * s + 2 * c * b;
        p = s * t;
        d[i + 1] = g + p;
        g = c * t - b;
        z[i + 1] = s * z[i] + c * above;
        z[i] = c * z[i] - s * above;
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* Computes eigenvalues into `diagonal`, and first components of the eigenvectors into `first`. */
static void diagonalise(recurrence *r)
{
    for (int i = 0; i < r->count; i++) r->first[i] = i == 0;
    r->off_diagonal[r->count - 1] = 0;
    for (int l = 0; l < r->count; l++) {
        for (int iteration = 0; iteration < 60; iteration++) {
            int m = l;
            while (m < r->count - 1 &&
                   fabs(r->off_diagonal[m]) > DBL_EPSILON * (fabs(r->diagonal[m]) + fabs(r->diagonal[m + 1])))
                m++;
            if (m == l) break;
            ql_step(r, l, m);
        }
    }
}

int gauss_compress(double *x, double *weight, int points, int nodes)
{
    recurrence r;
    double low = x[0], high = x[0], total = 0;
    if (points <= nodes) return points;
    for (int i = 0; i < points; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        total += weight[i];
    }
    const double middle = (low + high) / 2, half = high > low ? (high - low) / 2 : 1;
    for (int i = 0; i < points; i++) {
        x[i] = (x[i] - middle) / half;
        weight[i] /= total;
    }
    lanczos(&r, x, weight, points, nodes);
    diagonalise(&r);
    for (int i = 0; i < r.count; i++) {
        x[i] = middle + half * fmin(1, fmax(-1, r.diagonal[i]));
        weight[i] = total * r.first[i] * r.first[i];
    }
    return r.count;
}
