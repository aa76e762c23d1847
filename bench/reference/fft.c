/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimation in time over the prime factors (Cooley and Tukey, 1965). Lengths with a large prime factor
 * are convolutions with a chirp, padded to a power of two (Bluestein, 1970). */
#include "reference/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECT = 31 }; /* largest prime factor that is summed directly */

struct reference_fft {
    int64_t n;
    exact *roots, *work;   /* exp(-2 pi i j / n), for a chirp / 2n; buffer of n elements */
    reference_fft *padded; /* for Bluestein's convolution; NULL: n has small factors */
    exact *chirp, *kernel; /* exp(-pi i j j / n); the transform of its conjugate */
    exact *lane;           /* buffer for the padded line */
};

/* Multiplies without C's complex operator, whose handling of infinities costs far more than the product. */
static exact times(exact a, exact b)
{
    const long double ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
    exact c;
    __real__ c = ar * br - ai * bi;
    __imag__ c = ar * bi + ai * br;
    return c;
}

/* Returns exp(-2 pi i j / n), with the angle reduced to the first eighth of a turn. */
static exact root(int64_t j, int64_t n)
{
    const long double two_pi = 6.283185307179586476925286766559005768L;
    const int64_t quarter = 4 * j / n,
                  rest = 4 * j - quarter * n; /* the angle beyond the quarters is rest / 4n turns */
    const bool late = 2 * rest > n;
    const long double angle = two_pi * (long double)(late ? n - rest : rest) / (4 * (long double)n);
    const long double c = late ? sinl(angle) : cosl(angle), s = late ? cosl(angle) : sinl(angle);
    exact z;
    __real__ z = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    __imag__ z = -(quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c);
    return z;
}

static int64_t smallest_factor(int64_t n)
{
    if (n % 4 == 0) return 4;
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0) return p;
    return n;
}

int64_t reference_fft_largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) largest = p;
    return n > 1 ? n : largest;
}

/* ---- the transform ---- */

static void butterfly_2(exact *x, int64_t m)
{
    const exact a = x[0], b = x[m];
    x[0] = a + b;
    x[m] = a - b;
}

static void butterfly_4(exact *x, int64_t m)
{
    const exact a = x[0] + x[2 * m], b = x[0] - x[2 * m], c = x[m] + x[3 * m], d = x[m] - x[3 * m];
    exact rotated; /* -i d */
    __real__ rotated = cimagl(d);
    __imag__ rotated = -creall(d);
    x[0] = a + c;
    x[m] = b + rotated;
    x[2 * m] = a - c;
    x[3 * m] = b - rotated;
}

static void butterfly(const reference_fft *t, exact *x, int64_t p, int64_t m)
{
    exact in[DIRECT];
    for (int64_t r = 0; r < p; r++) in[r] = x[r * m];
    for (int64_t q = 0; q < p; q++) {
        const int64_t step = q * (t->n / p);
        exact sum = in[0];
        for (int64_t r = 1, at = step; r < p; r++) {
            sum += times(in[r], t->roots[at]);
            at += step;
            if (at >= t->n) at -= t->n;
        }
        x[q * m] = sum;
    }
}

/* Transforms n elements in[0], in[stride], ... to out[0..n-1], where n stride is the whole length. */
static void lines(const reference_fft *t, exact *out, const exact *in, int64_t n, int64_t stride)
{
    const int64_t p = smallest_factor(n), m = n / p;
    if (n == 1) {
        *out = *in;
        return;
    }
    for (int64_t r = 0; r < p; r++) lines(t, out + r * m, in + r * stride, m, p * stride);
    for (int64_t k = 0; k < m; k++) {
        for (int64_t r = 1; r < p && k; r++) out[r * m + k] = times(out[r * m + k], t->roots[r * k * stride]);
        if (p == 2)
            butterfly_2(out + k, m);
        else if (p == 4)
            butterfly_4(out + k, m);
        else
            butterfly(t, out + k, p, m);
    }
}

static void conjugate(exact *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) x[i] = conjl(x[i]);
}

/* Computes X[k] = c[k] sum_i (x[i] c[i]) conj(c[k - i]), with c[j] = exp(-pi i j j / n). */
static void bluestein(reference_fft *t, exact *x)
{
    const int64_t n = t->n, padded = t->padded->n;
    memset(t->lane, 0, (size_t)padded * sizeof *t->lane);
    for (int64_t i = 0; i < n; i++) t->lane[i] = times(x[i], t->chirp[i]);
    reference_fft_apply(t->padded, t->lane, -1);
    for (int64_t i = 0; i < padded; i++) t->lane[i] = times(t->lane[i], t->kernel[i]);
    reference_fft_apply(t->padded, t->lane, 1);
    for (int64_t i = 0; i < n; i++) x[i] = times(t->lane[i], t->chirp[i]) / (long double)padded;
}

void reference_fft_apply(reference_fft *t, exact *x, int sign)
{
    if (sign > 0) conjugate(x, t->n);
    if (t->padded) {
        bluestein(t, x);
    } else {
        memcpy(t->work, x, (size_t)t->n * sizeof *x);
        lines(t, x, t->work, t->n, 1);
    }
    if (sign > 0) conjugate(x, t->n);
}

/* ---- the tables ---- */

static exact *numbers(int64_t count)
{
    return calloc((size_t)count, sizeof(exact));
}

/* Returns n roots. Each is the product of two computed ones: every sqrt(n)-th root, and the distance from
 * it. */
static exact *make_table(int64_t n)
{
    const int64_t step = (int64_t)ceil(sqrt((double)n));
    exact *table = numbers(n), *near = numbers(step);
    for (int64_t i = 0; near && i < step; i++) near[i] = root(i, n);
    for (int64_t j = 0; near && table && j < n; j += step) {
        const exact far = root(j, n);
        for (int64_t i = 0; i < step && j + i < n; i++) table[j + i] = times(far, near[i]);
    }
    if (!near) {
        free(table);
        table = NULL;
    }
    free(near);
    return table;
}

static bool make_roots(reference_fft *t)
{
    t->roots = make_table(t->n);
    t->work = numbers(t->n);
    return t->roots && t->work;
}

/* Makes the chirp. Computes j j mod 2n by differences, which cannot overflow. */
static bool make_chirp(reference_fft *t)
{
    const int64_t n = t->n;
    int64_t padded = 1;
    while (padded < 2 * n - 1) padded *= 2;
    t->padded = reference_fft_create(padded);
    t->roots = make_table(2 * n);
    t->chirp = numbers(n);
    t->kernel = numbers(padded);
    t->lane = numbers(padded);
    if (!t->padded || !t->roots || !t->chirp || !t->kernel || !t->lane) return false;
    for (int64_t j = 0, square = 0; j < n; square = (square + 2 * j + 1) % (2 * n), j++) {
        t->chirp[j] = t->roots[square];
        t->kernel[j] = conjl(t->chirp[j]);
        if (j) t->kernel[padded - j] = t->kernel[j];
    }
    reference_fft_apply(t->padded, t->kernel, -1);
    return true;
}

reference_fft *reference_fft_create(int64_t n)
{
    reference_fft *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->n = n;
    if (reference_fft_largest_prime(n) <= DIRECT ? make_roots(t) : make_chirp(t)) return t;
    reference_fft_destroy(t);
    return NULL;
}

void reference_fft_destroy(reference_fft *t)
{
    if (!t) return;
    reference_fft_destroy(t->padded);
    free(t->roots);
    free(t->work);
    free(t->chirp);
    free(t->kernel);
    free(t->lane);
    free(t);
}
