/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete Fourier transforms in long double, of any length: the reference of `argand bench fft` and of the
 * tests. Written to be plainly right and not slow; it shares nothing with the library. */
#ifndef CLI_FFT_TRUTH_H
#define CLI_FFT_TRUTH_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef long double complex exact;

typedef struct reference_fft reference_fft; /* tables of one length; not for several threads at once */

reference_fft *reference_fft_create(int64_t n); /* NULL where memory is lacking */
/* x[0..n-1] becomes sum_i x[i] exp(sign 2 pi i k / n); nothing is scaled. */
void reference_fft_apply(reference_fft *t, exact *x, int sign);
void reference_fft_destroy(reference_fft *t); /* NULL is allowed */

/* The largest prime factor of n; 1 for 1. */
int64_t reference_fft_largest_prime(int64_t n);

#endif
