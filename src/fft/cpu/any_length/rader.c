/* SPDX-License-Identifier: BSD-3-Clause */
/* Rader (Proc. IEEE 56:1107, 1968): with a generator g of the integers modulo a prime p,
 *   X[g^-s] = x[0] + sum_q x[g^q] w^(g^(q - s)),
 * a cyclic convolution of p - 1 points. Where p - 1 has large factors itself, zeros make it a longer one of
 * 2 m >= 2 (p - 1) - 1 points, done as a cyclic and a negacyclic one of m: what is behind the inputs is zero,
 * so that the first and the last level of radix 2 are the weights alone. */
#include "fft/cpu/any_length/any_length.h"

#include "base/memory.h"
#include "base/memory_there.h"

static int64_t power_mod(int64_t base, int64_t exponent, int64_t p)
{
    int64_t result = 1;
    for (; exponent; exponent >>= 1, base = (int64_t)((__int128)base * base % p))
        if (exponent & 1) result = (int64_t)((__int128)result * base % p);
    return result;
}

static bool generates(int64_t g, int64_t p)
{
    int64_t rest = p - 1;
    for (int64_t f = 2; f * f <= rest; f++) {
        if (rest % f) continue;
        if (power_mod(g, (p - 1) / f, p) == 1) return false;
        while (rest % f == 0) rest /= f;
    }
    return rest == 1 || power_mod(g, (p - 1) / rest, p) != 1;
}

static argand_status make_orders(any_length_plan *plan, any_length_big *big, int64_t p)
{
    int32_t *from, *to;
    int64_t g = 2, power = 1;
    while (!generates(g, p)) g++;
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

/* exp(-2 pi i g^-r / p) for r = -(p - 2) to p - 2, around the end of the kernel where it is longer */
static void fill_kernel(const any_length_plan *plan, const any_length_big *big, long double *kernel)
{
    const int64_t length = big->halves * big->half[0].tree.n;
    for (int64_t r = 0; r < big->count; r++) {
        long double re, im;
        any_length_root(&re, &im, big->to[1 + r], big->n, plan->is_double);
        const int64_t other = length - big->count + r;
        kernel[2 * r] = re;
        kernel[2 * r + 1] = -im;
        if (big->halves == 1 || r == 0) continue;
        kernel[2 * other] = re;
        kernel[2 * other + 1] = -im;
    }
}

/* exp(-2 pi i j / 2 m): from the cyclic convolution to the negacyclic one, and its conjugate back */
static void negacyclic_in(const void *context, int64_t i, long double *re, long double *im)
{
    const any_length_big *big = context;
    any_length_root(re, im, i, 2 * big->half[0].tree.n, true);
    *im = -*im;
}

static void negacyclic_out(const void *context, int64_t i, long double *re, long double *im)
{
    any_length_root(re, im, i, 2 * ((const any_length_big *)context)->half[0].tree.n, true);
}

argand_status rader_make(any_length_plan *plan, any_length_big *big, int64_t p, bool padded, bool single)
{
    const int64_t m = padded ? any_length_padded_length(p - 1, true) : p - 1;
    long double *kernel = NULL;
    argand_status status;
    *big = (any_length_big){.n = p, .first = 1, .count = p - 1, .halves = padded ? 2 : 1};
    TRY(memory_check_left(any_length_spectra_bytes(big->halves * m), "fft"));
    TRY(make_orders(plan, big, p));
    TRY(any_length_convolution_make(plan, big, m, single));
    TRY(NEW(kernel, 2 * big->halves * m));
    fill_kernel(plan, big, kernel);
    TRY_OR_DONE(any_length_spectra(plan, big, kernel));
    if (padded) {
        TRY_OR_DONE(any_length_weights(plan, &big->in[1], big->count, negacyclic_in, big));
        TRY_OR_DONE(any_length_weights(plan, &big->out[1], big->count, negacyclic_out, big));
    }
done:
    memory_free(kernel);
    return status;
}
