/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner loops of hermitian.h. Sums are of 8 partial sums, whatever the width of the instruction set. */
#include "calib/hermitian.h"
#include "base/simd.h"

#include <string.h>

/* `lanes` has the width of the instruction set; GCC keeps wider vectors in memory. */
#if defined(__AVX__) || defined(__aarch64__)
#define LANES_BYTES VECTOR_BYTES
#else
#define LANES_BYTES 16
#endif
enum { LANES = 8, IN_LANES = LANES_BYTES / (int)sizeof(double), PARTS = LANES / IN_LANES };
typedef double lanes __attribute__((vector_size(LANES_BYTES), aligned(sizeof(double)), may_alias));
#define AT(p) (*(lanes *)(p))
#define READ(p) (*(const lanes *)(p))

static double add_up(const lanes parts[PARTS])
{
    double s[LANES];
    memcpy(s, parts, sizeof s);
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Computes a -= u conj(w) + w conj(u) for elements of a row, where u and w at this row are scalars. Adds
 * what they are in A v: conj(a) v_row in their columns, and the sum of a v to the row. The columns are a
 * multiple of LANES. */
static void step_row(const hermitian_step *s, int64_t row, int64_t from, int64_t to, double sum[2])
{
    double *re = s->re + row * s->n, *im = s->im + row * s->n;
    const double uri = s->u_re[row], uii = s->u_im[row], wri = s->w_re[row], wii = s->w_im[row];
    const double vr = s->v_re[row], vi = s->v_im[row];
    lanes sr[PARTS] = {{0}}, si[PARTS] = {{0}};
    for (int64_t at = from; at < to; at += LANES) UNROLL for (int part = 0; part < PARTS; part++)
        {
            const int64_t j = at + part * IN_LANES;
            const lanes ur = READ(s->u_re + j), ui = READ(s->u_im + j), wr = READ(s->w_re + j),
                        wi = READ(s->w_im + j), xr = READ(s->v_re + j), xi = READ(s->v_im + j);
            const lanes ar = AT(re + j) - uri * wr - uii * wi - wri * ur - wii * ui;
            const lanes ai = AT(im + j) - uii * wr + uri * wi - wii * ur + wri * ui;
            AT(re + j) = ar;
            AT(im + j) = ai;
            AT(s->p_re + j) += ar * vr + ai * vi;
            AT(s->p_im + j) += ar * vi - ai * vr;
            sr[part] += ar * xr - ai * xi;
            si[part] += ar * xi + ai * xr;
        }
    sum[0] = add_up(sr);
    sum[1] = add_up(si);
}

/* The same for elements in the rest of a row. */
static void step_rest(const hermitian_step *s, int64_t row, int64_t from, int64_t to, double sum[2])
{
    double *re = s->re + row * s->n, *im = s->im + row * s->n;
    const double uri = s->u_re[row], uii = s->u_im[row], wri = s->w_re[row], wii = s->w_im[row];
    const double vr = s->v_re[row], vi = s->v_im[row];
    for (int64_t j = from; j < to; j++) {
        re[j] -= uri * s->w_re[j] + uii * s->w_im[j] + wri * s->u_re[j] + wii * s->u_im[j];
        im[j] -= uii * s->w_re[j] - uri * s->w_im[j] + wii * s->u_re[j] - wri * s->u_im[j];
        s->p_re[j] += re[j] * vr + im[j] * vi;
        s->p_im[j] += re[j] * vi - im[j] * vr;
        if (j == row) continue;
        sum[0] += re[j] * s->v_re[j] - im[j] * s->v_im[j];
        sum[1] += re[j] * s->v_im[j] + im[j] * s->v_re[j];
    }
}

void VARIANT(hermitian_reduce)(const hermitian_step *s, int64_t from, int64_t to, double *sums)
{
    memset(s->p_re + from, 0, (size_t)(to - from) * sizeof *s->p_re);
    memset(s->p_im + from, 0, (size_t)(to - from) * sizeof *s->p_im);
    for (int64_t row = s->first; row < to; row++) {
        const int64_t start = row < from ? from : row;
        const int64_t first = row < from ? from : from + ((row - from) / LANES + 1) * LANES;
        const int64_t whole = first < to ? (to - first) / LANES * LANES : 0;
        sums[2 * row] = sums[2 * row + 1] = 0;
        if (whole > 0) step_row(s, row, first, first + whole, sums + 2 * row);
        step_rest(s, row, start, first < to ? first : to, sums + 2 * row);
        if (first < to) step_rest(s, row, first + whole, to, sums + 2 * row);
    }
}

/* Rotates `width` vectors of columns, at most WIDEST. A rotation mostly shares a row with the one before,
 * which stays in registers: row `held`. */
enum { WIDEST = SIMD_REGISTERS / 4 };
INLINE void rotate_vectors(double *z, int64_t n, const hermitian_rotation *rotations, int64_t count,
                           int width)
{
    lanes row[WIDEST] = {{0}};
    int64_t held = -1;
    for (int64_t k = 0; k < count; k++) {
        double *a = z + rotations[k].row * n, *b = a + n;
        const double c = rotations[k].c, s = rotations[k].s;
        if (held != rotations[k].row + 1) {
            UNROLL for (int l = 0; l < width && held >= 0; l++) AT(z + held * n + l * IN_LANES) = row[l];
            UNROLL for (int l = 0; l < width; l++) row[l] = READ(b + l * IN_LANES);
        }
        UNROLL for (int l = 0; l < width; l++)
        {
            const lanes above = READ(a + l * IN_LANES);
            AT(b + l * IN_LANES) = s * above + c * row[l];
            row[l] = c * above - s * row[l];
        }
        held = rotations[k].row;
    }
    UNROLL for (int l = 0; l < width && held >= 0; l++) AT(z + held * n + l * IN_LANES) = row[l];
}

void VARIANT(hermitian_rotate)(double *z, int64_t n, const hermitian_rotation *rotations, int64_t count,
                               int64_t from, int64_t to)
{
    for (; from + WIDEST * IN_LANES <= to; from += WIDEST * IN_LANES)
        rotate_vectors(z + from, n, rotations, count, WIDEST);
    for (; from + IN_LANES <= to; from += IN_LANES) rotate_vectors(z + from, n, rotations, count, 1);
    for (int64_t k = 0; k < count && from < to; k++) {
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
