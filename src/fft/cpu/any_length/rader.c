/* SPDX-License-Identifier: BSD-3-Clause */
/* Rader's algorithm (Proc. IEEE 56:1107, 1968) for a prime p: with a generator g of the integers modulo p and
 * w = exp(-2 pi i / p),
 *   X[0] = sum_j x[j],   X[g^-s] = x[0] + sum_q x[g^q] w^(g^(q - s)),
 * a cyclic convolution of p - 1 points.
 *
 * Padded: if p - 1 has large prime factors, zeros make the convolution one of 2 m >= 2 (p - 1) - 1 points,
 * for a smooth m. Half of its input is zero, so the radix-2 levels at both ends are factors alone. A cyclic
 * convolution and a negacyclic one of m points each are left, whose mean is the result. */
#include "fft/cpu/any_length/method.h"

#include <string.h>
#include "base/memory.h"
#include "base/memory_available.h"
#include "fft/engine/primes.h"

/* ---- when ---- */

static double cost(int64_t p)
{
    return any_length_convolution_cost(p - 1) + 4 * (double)p;
}

static double padded_cost(int64_t p)
{
    return 2 * any_length_convolution_cost(any_length_padded_length(p - 1, true)) + 10 * (double)p;
}

/* ---- plan ---- */

static argand_status make_orders(any_length_plan *plan, any_length_big *big, int64_t p)
{
    int32_t *from, *to;
    const int64_t g = primitive_root(p);
    int64_t power = 1;
    TRY(any_length_table(plan, &from, (size_t)p, sizeof *from));
    TRY(any_length_table(plan, &to, (size_t)p, sizeof *to));
    for (int64_t q = 0; q < p - 1; q++, power = power * g % p) {
        from[1 + q] = (int32_t)power;
        to[1 + (q ? p - 1 - q : 0)] = (int32_t)power;
    }
    big->from = from;
    big->to = to;
    return ARGAND_OK;
}

typedef struct rader_tables {
    const any_length_big *big;
    any_length_circle prime, padded; /* of p, and of both convolutions' length */
} rader_tables;

/* The kernel w^(g^-r) = exp(-2 pi i g^-r / p) for r = -(p - 2) to p - 2. Negative r are at the end of a
 * padded kernel; otherwise they coincide with positive ones. */
static void kernel(const void *context, int64_t r, long double *re, long double *im)
{
    const rader_tables *t = context;
    const int64_t count = t->big->count, other = r - (t->big->halves * t->big->half[0].tree.n - count);
    *re = *im = 0;
    if (r >= count && other < 1) return;
    any_length_circle_at(&t->prime, t->big->to[1 + (r < count ? r : other)], re, im);
    *im = -*im;
}

/* exp(-2 pi i j / 2 m), which makes a cyclic convolution of m points negacyclic; negacyclic_out is its
 * conjugate. */
static void negacyclic_in(const void *context, int64_t i, long double *re, long double *im)
{
    any_length_circle_at(&((const rader_tables *)context)->padded, i, re, im);
    *im = -*im;
}

static void negacyclic_out(const void *context, int64_t i, long double *re, long double *im)
{
    any_length_circle_at(&((const rader_tables *)context)->padded, i, re, im);
}

static argand_status make_tables(any_length_plan *plan, any_length_big *big)
{
    rader_tables t = {.big = big};
    argand_status status;
    TRY_OR_DONE(any_length_circle_make(&t.prime, big->n, plan, big));
    TRY_OR_DONE(any_length_circle_make(&t.padded, big->halves * big->half[0].tree.n, plan, big));
    TRY_OR_DONE(any_length_spectra(plan, big, kernel, &t));
    if (big->halves == 2) {
        t.padded.is_double = true;
        TRY_OR_DONE(any_length_weights(plan, &big->in[1], big->count, negacyclic_in, &t));
        TRY_OR_DONE(any_length_weights(plan, &big->out[1], big->count, negacyclic_out, &t));
    }
done:
    any_length_circle_release(&t.padded);
    any_length_circle_release(&t.prime);
    return status;
}

static argand_status make_any(any_length_plan *plan, any_length_big *big, int64_t p, bool padded, bool single)
{
    const int64_t m = padded ? any_length_padded_length(p - 1, true) : p - 1;
    *big = (any_length_big){.n = p,
                            .first = 1,
                            .count = p - 1,
                            .halves = padded ? 2 : 1,
                            .method = padded ? &padded_rader_method : &rader_method};
    TRY(any_length_convolution_make(plan, big, m, single));
    TRY(memory_check_left(any_length_big_bytes(plan, big), "fft"));
    TRY(make_orders(plan, big, p));
    return make_tables(plan, big);
}

static argand_status make(any_length_plan *plan, any_length_big *big, int64_t p, bool single)
{
    return make_any(plan, big, p, false, single);
}

static argand_status padded_make(any_length_plan *plan, any_length_big *big, int64_t p, bool single)
{
    return make_any(plan, big, p, true, single);
}

/* ---- apply, to one line; batches: run_big in kernels.c ---- */

/* Convolves the points in `even` in place, without zeros or as a cyclic and a negacyclic convolution.
 * point_zero: x[0]; on return the sum of the other points. */
static void convolve(const single_line *s, double *point_zero)
{
    const any_length_big *b = s->big;
    if (b->halves == 2) {
        s->kernels->times(s->odd, s->even, b->in[1], b->count, 0);
        single_clear(s, s->even);
        single_clear(s, s->odd);
        single_convolve(s, 1, s->odd, NULL);
    }
    single_convolve(s, 0, s->even, point_zero);
    if (b->halves == 2) s->kernels->join(s->even, s->even, s->odd, NULL, b->out[1], b->count, 0, 1);
}

static void run_line(const single_line *s, void *out, const void *in, int inverse, double factor)
{
    const any_length_big *b = s->big;
    double zero[2], first[2];
    single_get_point(first, in, s->is_double);
    zero[0] = first[inverse];
    zero[1] = first[1 - inverse];
    memcpy(first, zero, sizeof first);
    s->kernels->gather(s->even, in, b->from + 1, b->count, inverse);
    convolve(s, zero);
    s->kernels->scatter(out, s->even, b->to + 1, b->count, inverse, factor);
    const double re = factor * (first[0] + zero[0]), im = factor * (first[1] + zero[1]); /* X[0] */
    single_put_point(out, inverse ? im : re, inverse ? re : im, s->is_double);
}

/* ---- print ---- */

static void print(const any_length_big *big, text *t)
{
    text_add(t, big->halves == 2 ? "rader %lld: 2 x " : "rader %lld: ", (long long)big->n);
}

const any_length_method rader_method = {.cost = cost, .make = make, .run_line = run_line, .print = print};
const any_length_method padded_rader_method = {
    .cost = padded_cost, .make = padded_make, .run_line = run_line, .print = print};
