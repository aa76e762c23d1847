/* SPDX-License-Identifier: BSD-3-Clause */
/* Positive definite systems by Cholesky's factorisation, row by row: every element of L and every solution
 * is one inner product of rows that lie in memory one after the other. */
#include "calib/hermitian.h"

#include <math.h>

static void (*const dot[2][CPU_LEVELS])(const double *, const double *, const double *, const double *,
                                        int64_t, double[2]) = CPU_VARIANTS(hermitian_dot);

/* Row i of L from rows 0..i-1: l_ij = (a_ij - sum_k l_ik conj(l_jk)) / l_jj. */
static argand_status factor_row(hermitian_planes a, int64_t n, int64_t i)
{
    double *const re = a.re + i * n, *const im = a.im + i * n;
    double sum[2];
    for (int64_t j = 0; j < i; j++) {
        dot[1][cpu_best()](re, im, a.re + j * n, a.im + j * n, j, sum);
        re[j] = (re[j] - sum[0]) / a.re[j * n + j];
        im[j] = (im[j] - sum[1]) / a.re[j * n + j];
    }
    dot[1][cpu_best()](re, im, re, im, i, sum);
    const double pivot = re[i] - sum[0];
    CHECK(pivot > 1e-14 * re[i], ARGAND_NUMERIC,
          "row %lld of a matrix is a combination of those before it: it is not positive definite",
          (long long)i);
    re[i] = sqrt(pivot);
    im[i] = 0;
    return ARGAND_OK;
}

/* Solves L z = b, then L^H x = z, for one vector. The first step keeps conj(z), so that sum_k l_ik z_k is an
 * inner product. */
static void substitute(hermitian_planes a, int64_t n, double *restrict re, double *restrict im)
{
    double sum[2];
    for (int64_t i = 0; i < n; i++) {
        dot[1][cpu_best()](a.re + i * n, a.im + i * n, re, im, i, sum);
        re[i] = (re[i] - sum[0]) / a.re[i * n + i];
        im[i] = -(im[i] - sum[1]) / a.re[i * n + i];
    }
    for (int64_t i = 0; i < n; i++) im[i] = -im[i];
    for (int64_t i = n - 1; i >= 0; i--) {
        const double *restrict lr = a.re + i * n, *restrict li = a.im + i * n;
        const double xr = re[i] / lr[i], xi = im[i] / lr[i];
        re[i] = xr;
        im[i] = xi;
        for (int64_t k = 0; k < i; k++) {
            re[k] -= lr[k] * xr + li[k] * xi;
            im[k] -= lr[k] * xi - li[k] * xr;
        }
    }
}

argand_status hermitian_solve(hermitian_planes matrix, int64_t n, hermitian_planes vectors, int64_t m)
{
    for (int64_t i = 0; i < n; i++) TRY(factor_row(matrix, n, i));
    for (int64_t v = 0; v < m; v++) substitute(matrix, n, vectors.re + v * n, vectors.im + v * n);
    return ARGAND_OK;
}
