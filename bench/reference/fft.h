/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete Fourier transforms in long double, of any length: the reference of `argand bench fft` and of
 * the tests. The code is simple rather than fast, and shares nothing with the library. */
#ifndef CLI_FFT_TRUTH_H
#define CLI_FFT_TRUTH_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef long double complex exact;

typedef struct reference_fft reference_fft; /* tables of one length; only one thread may use them */

reference_fft *reference_fft_create(int64_t n); /* NULL if memory is short */
/* Replaces x[0..n-1] by sum_i x[i] exp(sign 2 pi i k / n), without scaling. */
void reference_fft_apply(reference_fft *t, exact *x, int sign);
void reference_fft_destroy(reference_fft *t); /* NULL is allowed */

/* Returns the largest prime factor of n; 1 for n = 1. */
int64_t reference_fft_largest_prime(int64_t n);

#endif
