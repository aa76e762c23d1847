/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference for transforms: the sum as it is written in fft.h, in long double, axis by axis. */
#ifndef TESTS_FFT_DIRECT_H
#define TESTS_FFT_DIRECT_H

#include "harness.h"

typedef long double complex exact;

/* C's own product looks after infinities, which costs much more than the product. */
static inline exact exact_times(exact a, exact b)
{
    const long double ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
    exact c;
    __real__ c = ar * br - ai * bi;
    __imag__ c = ar * bi + ai * br;
    return c;
}

/* exp(sign 2 pi i j / n) for each j, kept for the next line of this length. */
static inline const exact *direct_roots(int64_t n, int sign)
{
    static int64_t length;
    static int direction;
    static exact *roots;
    static const long double two_pi = 2 * 3.141592653589793238462643383279502884L;
    if (n == length && sign == direction) return roots;
    roots = realloc(roots, (size_t)n * sizeof *roots);
    assert_non_null(roots);
    length = n;
    direction = sign;
    for (int64_t j = 0; j < n; j++) {
        const long double angle = sign * two_pi * (long double)j / (long double)n;
        roots[j] = cosl(angle) + I * sinl(angle);
    }
    return roots;
}

/* Element k of the sum over a line of n elements at a stride. */
static inline exact direct_sum(const exact *x, int64_t n, int64_t stride, int sign, int64_t c, int64_t k)
{
    const exact *roots = direct_roots(n, sign);
    const int64_t step = (k - c + n) % n;
    int64_t at = (n - c) % n * step % n; /* (k - c) (i - c) modulo n */
    exact sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += exact_times(x[i * stride], roots[at]);
        at += step;
        if (at >= n) at -= n;
    }
    return sum;
}

/* One line of n elements at a stride, in place. centred: index i stands for i - floor(n/2) in input and
 * output. */
static inline void direct_line(exact *x, int64_t n, int64_t stride, int sign, bool centred)
{
    exact *result = malloc((size_t)n * sizeof *result);
    assert_non_null(result);
    for (int64_t k = 0; k < n; k++) result[k] = direct_sum(x, n, stride, sign, centred ? n / 2 : 0, k);
    for (int64_t k = 0; k < n; k++) x[k * stride] = result[k];
    free(result);
}

/* Contiguous, `rank` axes and then `batch` transforms, in place. */
static inline void direct_fft(exact *x, int rank, const int64_t *n, int64_t batch, int sign, bool centred)
{
    int64_t all = batch;
    for (int axis = 0; axis < rank; axis++) all *= n[axis];
    for (int64_t axis = 0, stride = 1; axis < rank; stride *= n[axis++])
        for (int64_t i = 0; i < all; i++)
            if (i / stride % n[axis] == 0) direct_line(x + i, n[axis], stride, sign, centred);
}

static inline exact *exact_of(const argand_array *array)
{
    const bool is_complex = argand_array_type(array) >= ARGAND_C32;
    const int64_t count = argand_array_count(array);
    double *numbers = as_doubles(array);
    exact *x = malloc((size_t)count * sizeof *x);
    for (int64_t i = 0; i < count; i++)
        x[i] = is_complex ? (long double)numbers[2 * i] + I * (long double)numbers[2 * i + 1]
                          : (long double)numbers[i];
    free(numbers);
    return x;
}

/* |array - reference| / |reference|, reference times `factor` */
static inline double distance(const argand_array *array, const exact *expected, long double factor)
{
    exact *x = exact_of(array);
    long double difference = 0, norm = 0;
    for (int64_t i = 0; i < argand_array_count(array); i++) {
        const exact d = x[i] - factor * expected[i], t = factor * expected[i];
        difference += creall(d) * creall(d) + cimagl(d) * cimagl(d);
        norm += creall(t) * creall(t) + cimagl(t) * cimagl(t);
    }
    free(x);
    return (double)sqrtl(difference / norm);
}

/* The rms error of an FFT grows as eps log2 n (Gentleman and Sande 1966), with a constant well below 1 for
 * good twiddles; lengths with large primes go through convolutions (Rader, Bluestein) of up to 4 n, a few
 * times that. */
static inline double fft_tolerance(argand_type type, double points)
{
    const double eps = type == ARGAND_C32 || type == ARGAND_R32 ? 6e-8 : 1.2e-16;
    return eps * (2 + 1.5 * log2(points + 1));
}

static inline argand_array *new_array(argand_type type, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, rank, dims));
    return array;
}

static inline argand_fft *new_plan(const argand_fft_options *options)
{
    argand_fft *plan;
    OK(argand_fft_create(&plan, device, options));
    return plan;
}

#endif
