/* SPDX-License-Identifier: BSD-3-Clause */
/* The six error metrics by which benchFFT (Frigo and Johnson, http://www.fftw.org/benchfft) states an FFT's
 * accuracy: the relative L1, L2 and Linf error of the output, and of the exact inverse of the output against
 * the input, which is backward error. Real and imaginary parts count as numbers of their own. */
#ifndef CLI_FFT_SIX_H
#define CLI_FFT_SIX_H

#include "reference/fft.h"

typedef struct fft_error_metrics {
    double forward[3], backward[3]; /* L1, L2, Linf */
} fft_error_metrics;

/* Several rounds become one: L1 the mean, L2 the root of the mean square, Linf the greatest. */
typedef struct fft_error_metrics_sum {
    fft_error_metrics total;
    int rounds;
} fft_error_metrics_sum;

/* One line: n complex numbers in and out, interleaved, and the sign of the transform out = F in. False where
 * memory is lacking. */
bool fft_error_metrics_add(fft_error_metrics_sum *sum, reference_fft *t, int64_t n, const double *in,
                           const double *out, int sign);
fft_error_metrics fft_error_metrics_result(const fft_error_metrics_sum *sum);

/* What the engine promises of L2 in units of the rounding error u: 0.8 sqrt(log2 n) where no prime factor is
 * above 13, else 2 sqrt(log2 M), M >= 2 n - 1 the power of two of a convolution. */
double fft_error_metrics_bound(int64_t n);
/* 2^-24 or 2^-53 */
double fft_error_metrics_unit(bool is_double);

#endif
