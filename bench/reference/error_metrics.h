/* SPDX-License-Identifier: BSD-3-Clause */
/* The six error metrics of an FFT's accuracy by benchFFT (Frigo and Johnson,
 * http://www.fftw.org/benchfft). Three are the relative L1, L2 and Linf errors of the output. Three are
 * the backward errors: the exact inverse of the output compared with the input. Real and imaginary parts
 * count separately. */
#ifndef CLI_FFT_SIX_H
#define CLI_FFT_SIX_H

#include "reference/fft.h"

typedef struct fft_error_metrics {
    double forward[3], backward[3]; /* L1, L2, Linf */
} fft_error_metrics;

/* Combines several rounds: the mean of L1, the root mean square of L2, the greatest Linf. */
typedef struct fft_error_metrics_sum {
    fft_error_metrics total;
    int rounds;
} fft_error_metrics_sum;

/* Adds one transform out = F in of n complex numbers (interleaved) with this sign. Returns false if memory
 * is short. */
bool fft_error_metrics_add(fft_error_metrics_sum *sum, reference_fft *t, int64_t n, const double *in,
                           const double *out, int sign);
fft_error_metrics fft_error_metrics_result(const fft_error_metrics_sum *sum);

/* Returns the bound on the L2 error that the engine guarantees, in units of the rounding error u: 0.8
 * sqrt(log2 n) if no prime factor exceeds 13. Otherwise 2 sqrt(log2 M), where M >= 2 n - 1 is the power of
 * two of a convolution. */
double fft_error_metrics_bound(int64_t n);
/* Returns u: 2^-24 or 2^-53. */
double fft_error_metrics_unit(bool is_double);

#endif
