/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the SVD in two steps. A = Q R, where each column of Q comes from the column of A with the
 * largest remainder, until nothing remains. Then one-sided Jacobi rotations of the columns of R^H
 * (Hestenes, J. SIAM 6:51, 1958; after such a QR: Drmac and Veselic, SIAM J. Matrix Anal. Appl. 29:1322,
 * 2008). Small singular values keep their digits, which eigenvalues of A^H A would lose below 1e-8; an
 * error of 1e-10 needs them. */
#include "segments/svd.h"

#include <stdbool.h>

typedef struct reduced {
    int rows, columns, rank;
    double complex *q;       /* {rows, rank} */
    double complex *r;       /* R^H: {columns, rank} */
    double complex *rotated; /* V of R^H V = U S: {rank, rank} */
} reduced;

/* conj(x) y */
static double complex inner(const double complex *x, const double complex *y, int n)
{
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
        re += creal(x[i]) * creal(y[i]) + cimag(x[i]) * cimag(y[i]);
        im += creal(x[i]) * cimag(y[i]) - cimag(x[i]) * creal(y[i]);
    }
    return CMPLX(re, im);
}

static double norm_square(const double complex *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += square(x[i]);
    return sum;
}

/* y -= f x */
static void subtract(double complex *y, double complex f, const double complex *x, int n)
{
    for (int i = 0; i < n; i++) y[i] -= times(f, x[i]);
}

static int largest_column(const double *left, int columns)
{
    int best = 0;
    for (int j = 1; j < columns; j++)
        if (left[j] > left[best]) best = j;
    return best;
}

/* Takes the next column of Q from the column of a with the largest remainder; returns false if this is
 * rounding. */
static bool next_direction(reduced *d, double complex *a, double *left, double most)
{
    const int j = largest_column(left, d->columns);
    double complex *q = d->q + (size_t)d->rank * (size_t)d->rows;
    if (!(left[j] > 1e-32 * most)) return false;
    for (int i = 0; i < d->rows; i++) q[i] = a[(size_t)j * (size_t)d->rows + (size_t)i];
    for (int k = 0; k < d->rank; k++) {
        const double complex *before = d->q + (size_t)k * (size_t)d->rows;
        subtract(q, inner(before, q, d->rows), before, d->rows);
    }
    const double length = sqrt(norm_square(q, d->rows));
    if (!(length > 0)) return false;
    for (int i = 0; i < d->rows; i++) q[i] /= length;
    return true;
}

static void reduce(reduced *d, double complex *a, double *left)
{
    const int most_rank = d->rows < d->columns ? d->rows : d->columns;
    double most = 0;
    for (int j = 0; j < d->columns; j++) {
        left[j] = norm_square(a + (size_t)j * (size_t)d->rows, d->rows);
        most = fmax(most, left[j]);
    }
    for (d->rank = 0; d->rank < most_rank && next_direction(d, a, left, most); d->rank++) {
        const double complex *q = d->q + (size_t)d->rank * (size_t)d->rows;
        double complex *r = d->r + (size_t)d->rank * (size_t)d->columns;
        for (int j = 0; j < d->columns; j++) {
            double complex *column = a + (size_t)j * (size_t)d->rows;
            const double complex part = inner(q, column, d->rows);
            r[j] = conj(part);
            subtract(column, part, q, d->rows);
            left[j] = norm_square(column, d->rows);
        }
    }
}

/* Sets x' = c x - s conj(f) y, y' = s f x + c y, where f is the phase of x^H y; x' and y' are orthogonal. */
static void rotate(double complex *x, double complex *y, int n, double c, double s, double complex f)
{
    const double complex sf = s * f, scf = s * conj(f);
    for (int i = 0; i < n; i++) {
        const double complex old = x[i];
        x[i] = c * old - times(scf, y[i]);
        y[i] = times(sf, old) + c * y[i];
    }
}

/* Makes columns p and q orthogonal; returns the cosine of their angle before. */
static double orthogonal_pair(reduced *d, int p, int q)
{
    double complex *x = d->r + (size_t)p * (size_t)d->columns, *y = d->r + (size_t)q * (size_t)d->columns;
    const double a = norm_square(x, d->columns), b = norm_square(y, d->columns);
    const double complex g = inner(x, y, d->columns);
    const double size = sqrt(square(g)), cosine = size / sqrt(a * b);
    if (!(cosine > 1e-15)) return 0;
    const double zeta = (b - a) / (2 * size), t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
    const double c = 1 / hypot(1, t), s = c * t;
    rotate(x, y, d->columns, c, s, g / size);
    rotate(d->rotated + (size_t)p * (size_t)d->rank, d->rotated + (size_t)q * (size_t)d->rank, d->rank, c, s,
           g / size);
    return cosine;
}

static void jacobi(reduced *d)
{
    for (int i = 0; i < d->rank; i++) d->rotated[(size_t)i * (size_t)d->rank + (size_t)i] = 1;
    for (int sweep = 0; sweep < 30; sweep++) {
        double worst = 0;
        for (int p = 0; p < d->rank; p++)
            for (int q = p + 1; q < d->rank; q++) worst = fmax(worst, orthogonal_pair(d, p, q));
        if (worst < 1e-14) return;
    }
}

static void take_column(svd *s, const reduced *d, int from, int to)
{
    const double complex *u = d->r + (size_t)from * (size_t)d->columns;
    const double complex *v = d->rotated + (size_t)from * (size_t)d->rank;
    s->value[to] = sqrt(norm_square(u, d->columns));
    for (int j = 0; j < d->columns; j++)
        s->right[(size_t)to * (size_t)d->columns + (size_t)j] = s->value[to] > 0 ? u[j] / s->value[to] : 0;
    for (int k = 0; k < d->rank; k++)
        subtract(s->left + (size_t)to * (size_t)d->rows, -v[k], d->q + (size_t)k * (size_t)d->rows, d->rows);
}

/* A = Q R, R^H V = U S: A = (Q V) S U^H */
static argand_status sorted(svd *s, const reduced *d)
{
    double *left;
    TRY(NEW(s->left, (size_t)d->rows * (size_t)d->rank));
    TRY(NEW(s->right, (size_t)d->columns * (size_t)d->rank));
    TRY(NEW(s->value, d->rank));
    TRY(NEW(left, d->rank));
    for (int i = 0; i < d->rank; i++)
        left[i] = norm_square(d->r + (size_t)i * (size_t)d->columns, d->columns);
    for (int to = 0; to < d->rank; to++) {
        const int from = largest_column(left, d->rank);
        if (to > 0 && !(left[from] > 1e-30 * s->value[0] * s->value[0])) break;
        take_column(s, d, from, to);
        left[from] = -1;
        s->rank = to + 1;
    }
    memory_free(left);
    return ARGAND_OK;
}

static argand_status tall(svd *s, double complex *a, int rows, int columns)
{
    reduced d = {.rows = rows, .columns = columns};
    double *left = NULL;
    argand_status status;
    *s = (svd){.rows = rows, .columns = columns};
    TRY_OR_DONE(NEW(d.q, (size_t)columns * (size_t)rows));
    TRY_OR_DONE(NEW(d.r, (size_t)columns * (size_t)columns));
    TRY_OR_DONE(NEW(left, columns));
    reduce(&d, a, left);
    TRY_OR_DONE(NEW(d.rotated, (size_t)d.rank * (size_t)d.rank));
    jacobi(&d);
    status = sorted(s, &d);
done:
    memory_free(d.rotated);
    memory_free(left);
    memory_free(d.r);
    memory_free(d.q);
    if (status != ARGAND_OK) svd_release(s);
    return status;
}

/* Computes the SVD of A^H, because Jacobi rotations need the columns of the shorter dimension. */
static argand_status wide(svd *s, const double complex *a, int rows, int columns)
{
    double complex *transposed;
    TRY(NEW(transposed, (size_t)rows * (size_t)columns));
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            transposed[(size_t)i * (size_t)columns + (size_t)j] =
                conj(a[(size_t)j * (size_t)rows + (size_t)i]);
    const argand_status status = tall(s, transposed, columns, rows);
    memory_free(transposed);
    if (status != ARGAND_OK) return status;
    double complex *const right = s->left;
    s->left = s->right;
    s->right = right;
    s->rows = rows;
    s->columns = columns;
    return ARGAND_OK;
}

argand_status svd_make(svd *s, double complex *a, int rows, int columns)
{
    return rows >= columns ? tall(s, a, rows, columns) : wide(s, a, rows, columns);
}

void svd_release(svd *s)
{
    memory_free(s->left);
    memory_free(s->right);
    memory_free(s->value);
    *s = (svd){0};
}
