/* SPDX-License-Identifier: BSD-3-Clause */
/* Bluestein's algorithm (IEEE Trans. Audio Electroacoust. 18:451, 1970) for any n: as
 * j k = (j^2 + k^2 - (k - j)^2) / 2, with the chirp c[j] = exp(-pi i j^2 / n)
 *   X[k] = c[k] sum_j (c[j] x[j]) conj(c[k - j]),
 * a convolution of any convenient length of 2 m >= 2 n - 1 points. Half of its input is zero, so it is done
 * as a cyclic and a negacyclic convolution of m points each (rader.c). */
#include "fft/cpu/any_length/method.h"

#include "base/memory.h"
#include "base/memory_available.h"

/* ---- when ---- */

static double cost(int64_t n)
{
    return 2 * any_length_convolution_cost(any_length_padded_length(n, true)) + 14 * (double)n;
}

/* ---- plan ---- */

typedef struct chirps {
    int64_t n, padded;
    any_length_circle turns, negacyclic; /* of 2 n, and of both convolutions' length */
} chirps;

/* conj(c[j]) = exp(+pi i j^2 / n); j^2 modulo 2 n is exact */
static void chirp(const chirps *c, int64_t j, long double *re, long double *im)
{
    any_length_circle_at(&c->turns, j * j % (2 * c->n), re, im);
}

/* The kernel conj(c[j]) for j from -(n - 1) to n - 1, negative ones at its end */
static void kernel(const void *context, int64_t j, long double *re, long double *im)
{
    const chirps *c = context;
    const int64_t distance = j < c->n ? j : c->padded - j;
    *re = *im = 0;
    if (distance < c->n) chirp(c, distance, re, im);
}

/* c[j] */
static void chirp_weight(const void *context, int64_t j, long double *re, long double *im)
{
    chirp(context, j, re, im);
    *im = -*im;
}

/* c[j] exp(sign 2 pi i j / 2 m): the chirp and the factor of the negacyclic convolution in one */
static void chirp_negacyclic(const chirps *tables, int64_t j, int sign, long double *re, long double *im)
{
    long double a, b, c, d;
    chirp_weight(tables, j, &a, &b);
    any_length_circle_at(&tables->negacyclic, j, &c, &d);
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

static argand_status make_tables(any_length_plan *plan, any_length_big *big)
{
    chirps c = {.n = big->n, .padded = 2 * big->half[0].tree.n};
    argand_status status;
    TRY_OR_DONE(any_length_circle_make(&c.turns, 2 * c.n, plan, big));
    TRY_OR_DONE(any_length_circle_make(&c.negacyclic, c.padded, plan, big));
    c.turns.is_double = c.negacyclic.is_double = true;
    TRY_OR_DONE(any_length_spectra(plan, big, kernel, &c));
    TRY_OR_DONE(any_length_weights(plan, &big->in[0], c.n, chirp_weight, &c));
    TRY_OR_DONE(any_length_weights(plan, &big->in[1], c.n, chirp_in, &c));
    big->out[0] = big->in[0];
    TRY_OR_DONE(any_length_weights(plan, &big->out[1], c.n, chirp_out, &c));
done:
    any_length_circle_release(&c.negacyclic);
    any_length_circle_release(&c.turns);
    return status;
}

static argand_status make(any_length_plan *plan, any_length_big *big, int64_t n, bool single)
{
    const int64_t m = any_length_padded_length(n, true);
    *big = (any_length_big){.n = n, .count = n, .halves = 2, .method = &bluestein_method};
    TRY(any_length_convolution_make(plan, big, m, single));
    TRY(memory_check_left(any_length_big_bytes(plan, big), "fft"));
    TRY(make_order(plan, big));
    return make_tables(plan, big);
}

/* ---- apply, to one line; batches: run_big in kernels.c ---- */

static void run_line(const single_line *s, void *out, const void *in, int inverse, double factor)
{
    const any_length_big *b = s->big;
    s->kernels->times(s->even, in, b->in[0], b->n, inverse); /* c[j] x[j], for both convolutions */
    s->kernels->times(s->odd, in, b->in[1], b->n, inverse);
    single_clear(s, s->even);
    single_clear(s, s->odd);
    single_convolve(s, 0, s->even, NULL);
    single_convolve(s, 1, s->odd, NULL);
    s->kernels->join(out, s->even, s->odd, b->out[0], b->out[1], b->n, inverse, factor); /* times c[k] */
}

/* ---- print ---- */

static void print(const any_length_big *big, text *t)
{
    text_add(t, "bluestein %lld: 2 x ", (long long)big->n);
}

const any_length_method bluestein_method = {.cost = cost, .make = make, .run_line = run_line, .print = print};
