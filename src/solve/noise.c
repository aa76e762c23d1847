/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how CG passes noise n of the samples to its iterates x_k = P_k(N) A^H W y, N = A^H W A, where
 * step lengths give the polynomial P_k. The energy of P_k(N) A^H W n is an integral over N's eigenvalues,
 * weighted by the energy of A^H W n along their vectors. A few CG steps on noise give a Gauss quadrature
 * of it (Golub and Meurant, Matrices, Moments and Quadrature, 2010, chapters 6 and 7; one random vector in
 * place of a trace: Hutchinson 1989). */
#include <argand/solve.h>

#include <math.h>
#include <string.h>
#include "array/array.h"
#include "op/spread.h"
#include "solve/pcg.h"

enum { MOST = ARGAND_NOISE_NODES };

/* Makes an array of noise of E |n|^2 = 1. */
static argand_status make_noise(argand_array **noise, const argand_op *op)
{
    const argand_shape *range = argand_op_range(op);
    random_state random = {7};
    TRY(argand_array_create(noise, argand_op_device(op), range->type, range->rank, range->dims));
    return spread_normal(op->spread, *noise, &random, type_is_complex(range->type) ? sqrt(0.5) : 1);
}

/* One rotation of Jacobi's method that makes a[p][q] 0; v collects them. */
static void rotate(double a[MOST][MOST], double v[MOST][MOST], int n, int p, int q)
{
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < n; i++) {
        const double x = a[i][p], y = a[i][q];
        a[i][p] = c * x - s * y;
        a[i][q] = s * x + c * y;
    }
    for (int i = 0; i < n; i++) {
        const double x = a[p][i], y = a[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
    }
    for (int i = 0; i < n; i++) {
        const double x = v[i][p], y = v[i][q];
        v[i][p] = c * x - s * y;
        v[i][q] = s * x + c * y;
    }
}

/* Computes the quadrature from CG's alpha and beta, which define a tridiagonal matrix: nodes are its
 * eigenvalues, weights the squares of the first elements of its eigenvectors. */
static void quadrature(argand_noise_spectrum *out, const double *alpha, const double *beta, int n,
                       double energy)
{
    double a[MOST][MOST] = {{0}}, v[MOST][MOST] = {{0}};
    for (int i = 0; i < n; i++) {
        v[i][i] = 1;
        a[i][i] = 1 / alpha[i] + (i ? beta[i - 1] / alpha[i - 1] : 0);
        if (i) a[i][i - 1] = a[i - 1][i] = sqrt(beta[i - 1]) / alpha[i - 1];
    }
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(a, v, n, p, q);
    out->count = n;
    for (int i = 0; i < n; i++) {
        out->node[i] = a[i][i];
        out->weight[i] = energy * v[0][i] * v[0][i];
    }
}

/* Makes MOST CG steps on noise, or fewer if the gradient falls to rounding before. */
static argand_status steps(argand_noise_spectrum *out, smooth *s, pcg *c, argand_array *x,
                           argand_array *numbers)
{
    double now[PCG_NUMBERS], alpha[MOST], beta[MOST], first = 0;
    int n = 0;
    TRY(argand_array_copy(c->r, s->b));
    TRY(pcg_begin(c));
    TRY(spread_read(s->op->spread, now, numbers));
    double gamma = first = now[c->gamma];
    while (n < MOST && gamma > 1e-10 * first) {
        TRY(pcg_step(c, x));
        TRY(spread_read(s->op->spread, now, numbers));
        const double delta = now[PCG_DELTA], next = now[c->gamma];
        if (!(delta > 0) || !isfinite(next)) break;
        alpha[n] = gamma / delta;
        beta[n++] = next / gamma;
        gamma = next;
    }
    quadrature(out, alpha, beta, n, first);
    return ARGAND_OK;
}

argand_status argand_solve_noise(argand_noise_spectrum *spectrum, const argand_op *op,
                                 const argand_array *weights, argand_op *normal)
{
    argand_array *noise = NULL, *x = NULL, *numbers = NULL;
    argand_scalar total;
    smooth s = {0};
    pcg c = {0};
    argand_status status;
    CHECK(spectrum && op, ARGAND_ARGUMENT, "argand_solve_noise: a pointer is NULL");
    *spectrum = (argand_noise_spectrum){0};
    spread_begin(op->spread);
    TRY_OR_DONE(make_noise(&noise, op));
    TRY_OR_DONE(smooth_make(&s, op, normal, weights, noise, 0));
    TRY_OR_DONE(smooth_new_image(&s, &x));
    TRY_OR_DONE(argand_array_fill(x, (argand_scalar){0, 0}));
    TRY_OR_DONE(scalars_create(&numbers, argand_op_device(op), PCG_NUMBERS));
    TRY_OR_DONE(pcg_make(&c, &s, NULL, numbers, 0));
    TRY_OR_DONE(steps(spectrum, &s, &c, x, numbers));
    total.re = (double)spread_own(op->spread, noise);
    if (weights) TRY_OR_DONE(argand_array_sum(&total, weights));
    TRY_OR_DONE(spread_sum(op->spread, &total.re, 1));
    spectrum->total = total.re;
    status = ARGAND_OK;
done:
    pcg_release(&c);
    argand_array_destroy(numbers);
    argand_array_destroy(x);
    smooth_release(&s);
    argand_array_destroy(noise);
    return spread_end(op->spread, status);
}
