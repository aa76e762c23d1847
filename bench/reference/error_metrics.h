/* SPDX-License-Identifier: BSD-3-Clause */
/* The six numbers by which benchFFT (Frigo and Johnson, http://www.fftw.org/benchfft) states an FFT's
 * accuracy: the relative L1, L2 and Linf error of the output, and of the exact inverse of the output against
 * the input, which is backward error. Real and imaginary parts count as numbers of their own. */
#ifndef CLI_FFT_SIX_H
#define CLI_FFT_SIX_H

#include "reference/fft.h"

typedef struct fft_six {
    double forward[3], backward[3]; /* L1, L2, Linf */
} fft_six;

/* Several rounds become one: L1 the mean, L2 the root of the mean square, Linf the greatest. */
typedef struct fft_six_sum {
    fft_six total;
    int rounds;
} fft_six_sum;

/* One line: n complex numbers in and out, interleaved, and the sign of the transform out = F in. False where
 * memory is lacking. */
bool fft_six_add(fft_six_sum *sum, truth *t, int64_t n, const double *in, const double *out, int sign);
fft_six fft_six_result(const fft_six_sum *sum);

/* What the engine promises of L2 in units of the rounding error u: 0.8 sqrt(log2 n) where no prime factor is
 * above 13, else 2 sqrt(log2 M), M >= 2 n - 1 the power of two of a convolution. */
double fft_six_bound(int64_t n);
/* 2^-24 or 2^-53 */
double fft_six_unit(bool is_double);

#endif
