/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner loops of hermitian.h. For every column, sums run over the rows in order. Neither the division into
 * columns nor the SIMD width changes a result. */
#include "calib/hermitian.h"

#include <string.h>

/* Computes row -= u conj(w) + w conj(u), where u and w at this row are scalars. */
static void update(const hermitian_step *s, int64_t row, int64_t from, int64_t to)
{
    double *restrict re = s->re + row * s->n, *restrict im = s->im + row * s->n;
    const double *restrict ur = s->u_re, *restrict ui = s->u_im, *restrict wr = s->w_re,
                           *restrict wi = s->w_im;
    const double uri = ur[row], uii = ui[row], wri = wr[row], wii = wi[row];
    for (int64_t j = from; j < to; j++) {
        re[j] -= uri * wr[j] + uii * wi[j] + wri * ur[j] + wii * ui[j];
        im[j] -= uii * wr[j] - uri * wi[j] + wii * ur[j] - wri * ui[j];
    }
}

/* Adds a row's part of A v, which is the sum over rows of conj(row) v_row, because A is Hermitian. */
static void accumulate(const hermitian_step *s, int64_t row, int64_t from, int64_t to)
{
    const double *restrict re = s->re + row * s->n, *restrict im = s->im + row * s->n;
    double *restrict pr = s->p_re, *restrict pi = s->p_im;
    const double vr = s->v_re[row], vi = s->v_im[row];
    for (int64_t j = from; j < to; j++) {
        pr[j] += re[j] * vr + im[j] * vi;
        pi[j] += re[j] * vi - im[j] * vr;
    }
}

void VARIANT(hermitian_reduce)(const hermitian_step *s, int64_t from, int64_t to)
{
    memset(s->p_re + from, 0, (size_t)(to - from) * sizeof *s->p_re);
    memset(s->p_im + from, 0, (size_t)(to - from) * sizeof *s->p_im);
    for (int64_t row = s->first; row < s->n; row++) {
        if (s->u_re) update(s, row, from, to);
        accumulate(s, row, from, to);
    }
}

void VARIANT(hermitian_rotate)(double *z, int64_t n, const hermitian_rotation *rotations, int64_t count,
                               int64_t from, int64_t to)
{
    for (int64_t k = 0; k < count; k++) {
        double *restrict a = z + rotations[k].row * n, *restrict b = a + n;
        const double c = rotations[k].c, s = rotations[k].s;
        for (int64_t j = from; j < to; j++) {
            const double below = b[j];
            b[j] = s * a[j] + c * below;
            a[j] = c * a[j] - s * below;
        }
    }
}

/* Computes x -= tau v (v^H x) from component `first` on. */
static void reflect(double *restrict xr, double *restrict xi, int64_t first, int64_t n, const double *vr,
                    const double *vi, double tau)
{
    enum { B = HERMITIAN_BLOCK };
    double sr[B] = {0}, si[B] = {0};
    for (int64_t j = first; j < n; j++)
        for (int b = 0; b < B; b++) {
            sr[b] += vr[j] * xr[j * B + b] + vi[j] * xi[j * B + b];
            si[b] += vr[j] * xi[j * B + b] - vi[j] * xr[j * B + b];
        }
    for (int b = 0; b < B; b++) {
        sr[b] *= tau;
        si[b] *= tau;
    }
    for (int64_t j = first; j < n; j++)
        for (int b = 0; b < B; b++) {
            xr[j * B + b] -= vr[j] * sr[b] - vi[j] * si[b];
            xi[j * B + b] -= vr[j] * si[b] + vi[j] * sr[b];
        }
}

void VARIANT(hermitian_reflect)(double *x_re, double *x_im, int64_t n, const double *re, const double *im,
                                const double *tau)
{
    for (int64_t k = n - 2; k >= 0; k--)
        if (tau[k] > 0) reflect(x_re, x_im, k + 1, n, re + k * n, im + k * n, tau[k]);
}

void VARIANT(hermitian_dot)(const double *a_re, const double *a_im, const double *b_re, const double *b_im,
                            int64_t n, double sum[2])
{
    enum { LANES = 8 };
    double re[LANES] = {0}, im[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            re[l] += a_re[i + l] * b_re[i + l] + a_im[i + l] * b_im[i + l];
            im[l] += a_im[i + l] * b_re[i + l] - a_re[i + l] * b_im[i + l];
        }
    for (; i < n; i++) {
        re[0] += a_re[i] * b_re[i] + a_im[i] * b_im[i];
        im[0] += a_im[i] * b_re[i] - a_re[i] * b_im[i];
    }
    sum[0] = ((re[0] + re[1]) + (re[2] + re[3])) + ((re[4] + re[5]) + (re[6] + re[7]));
    sum[1] = ((im[0] + im[1]) + (im[2] + im[3])) + ((im[4] + im[5]) + (im[6] + im[7]));
}
