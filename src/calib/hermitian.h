/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues and eigenvectors of dense Hermitian matrices in double precision. */
#ifndef CALIB_HERMITIAN_H
#define CALIB_HERMITIAN_H

#include <stdint.h>
#include "base/cpu.h"
#include "base/status.h"

/* A complex matrix, or vectors, as separate real and imaginary planes. */
typedef struct hermitian_planes {
    double *re, *im;
} hermitian_planes;

/* Computes eigenvalues and eigenvectors. matrix: n x n, complete; it is overwritten. values: n,
 * descending. vectors: memory for n rows of n; the first *count rows are set, those whose eigenvalue
 * exceeds least times the largest. The bits do not depend on the number of threads. */
argand_status hermitian_eigen(hermitian_planes matrix, int64_t n, double least, int threads, double *values,
                              hermitian_planes vectors, int64_t *count);

/* Solves A x = b for m vectors, one a row of b {m, n}, by A = L L^H (hermitian_solve.c). matrix: n x n, of
 * which the lower triangle is read and overwritten by L; vectors: b, overwritten by x. ARGAND_NUMERIC: A is
 * not positive definite. One thread works, so that several can solve at the same time. */
argand_status hermitian_solve(hermitian_planes matrix, int64_t n, hermitian_planes vectors, int64_t m);

/* ---- inner loops (hermitian_steps.c) */

/* Computes sum_i a_i conj(b_i), in 8 partial sums. */
CPU_DECLARE(void, hermitian_dot, const double *a_re, const double *a_im, const double *b_re,
            const double *b_im, int64_t n, double sum[2]);

/* One step of the reduction to tridiagonal form over columns [from, to) of the rows first..n-1, at and
 * right of the diagonal: A -= u w^H + w u^H, then p = A v but for the columns beyond
 * these. Sets sums (complex {n}) for rows before `to`: what these columns add to p of the row, by the
 * elements right of the diagonal. */
typedef struct hermitian_step {
    int64_t n, first;
    double *re, *im;                         /* A */
    const double *u_re, *u_im, *w_re, *w_im; /* pending update */
    const double *v_re, *v_im;
    double *p_re, *p_im;
} hermitian_step;
CPU_DECLARE(void, hermitian_reduce, const hermitian_step *step, int64_t from, int64_t to, double *sums);

/* Rotates rows i and i + 1 of z: (z_i, z_(i+1)) <- (c z_i - s z_(i+1), s z_i + c z_(i+1)), in columns
 * [from, to). */
typedef struct hermitian_rotation {
    int64_t row;
    double c, s;
} hermitian_rotation;
CPU_DECLARE(void, hermitian_rotate, double *z, int64_t n, const hermitian_rotation *rotations, int64_t count,
            int64_t from, int64_t to);

enum { HERMITIAN_BLOCK = 16 };
/* Computes x <- H_0 H_1 ... H_(n-2) x for a block of vectors, x[component][HERMITIAN_BLOCK]. Row k of the
 * planes holds reflector k from column k + 1 on. */
CPU_DECLARE(void, hermitian_reflect, double *x_re, double *x_im, int64_t n, const double *re,
            const double *im, const double *tau);

#endif
