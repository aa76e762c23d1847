/* SPDX-License-Identifier: BSD-3-Clause */
/* Bluestein (IEEE Trans. Audio Electroacoust. 18:451, 1970): j k = (j^2 + k^2 - (k - j)^2) / 2, hence with
 * c[j] = exp(-pi i j^2 / n)
 *   X[k] = c[k] sum_j (c[j] x[j]) conj(c[k - j]),
 * a convolution of any convenient length of 2 m >= 2 n - 1 points; as in rader.c, half of it is zeros, and it
 * is done as a cyclic and a negacyclic one of m. */
#include "fft/cpu/any_length/any_length.h"

#include "base/memory.h"
#include "base/memory_there.h"

/* exp(+pi i j^2 / n): j^2 modulo 2 n is exact */
static void chirp(const any_length_big *big, int64_t j, long double *re, long double *im)
{
    any_length_root(re, im, (int64_t)((__int128)j * j % (2 * big->n)), 2 * big->n, true);
}

static void chirp_weight(const void *context, int64_t j, long double *re, long double *im)
{
    chirp(context, j, re, im);
    *im = -*im;
}

/* The chirp times exp(-+ 2 pi i j / 2 m) */
static void chirp_negacyclic(const any_length_big *big, int64_t j, int sign, long double *re, long double *im)
{
    long double a, b, c, d;
    chirp_weight(big, j, &a, &b);
    any_length_root(&c, &d, j, 2 * big->half[0].tree.n, true);
    d *= (long double)sign;
    *re = a * c - b * d;
    *im = a * d + b * c;
}

static void chirp_in(const void *context, int64_t j, long double *re, long double *im)
{
    chirp_negacyclic(context, j, -1, re, im);
}

static void chirp_out(const void *context, int64_t j, long double *re, long double *im)
{
    chirp_negacyclic(context, j, 1, re, im);
}

static argand_status make_order(any_length_plan *plan, any_length_big *big)
{
    int32_t *order;
    TRY(any_length_table(plan, &order, (size_t)big->n, sizeof *order));
    for (int64_t i = 0; i < big->n; i++) order[i] = (int32_t)i;
    big->from = big->to = order;
    return ARGAND_OK;
}

argand_status bluestein_make(any_length_plan *plan, any_length_big *big, int64_t n, bool single)
{
    const int64_t m = any_length_padded_length(n, true);
    long double *kernel = NULL;
    argand_status status;
    *big = (any_length_big){.n = n, .count = n, .halves = 2};
    TRY(memory_check_left(any_length_spectra_bytes(2 * m), "fft"));
    TRY(make_order(plan, big));
    TRY(any_length_convolution_make(plan, big, m, single));
    TRY(NEW(kernel, 4 * m));
    for (int64_t j = 0; j < n; j++) {
        chirp(big, j, &kernel[2 * j], &kernel[2 * j + 1]);
        if (j) chirp(big, j, &kernel[2 * (2 * m - j)], &kernel[2 * (2 * m - j) + 1]);
    }
    TRY_OR_DONE(any_length_spectra(plan, big, kernel));
    TRY_OR_DONE(any_length_weights(plan, &big->in[0], n, chirp_weight, big));
    TRY_OR_DONE(any_length_weights(plan, &big->in[1], n, chirp_in, big));
    TRY_OR_DONE(any_length_weights(plan, &big->out[0], n, chirp_weight, big));
    TRY_OR_DONE(any_length_weights(plan, &big->out[1], n, chirp_out, big));
done:
    memory_free(kernel);
    return status;
}
