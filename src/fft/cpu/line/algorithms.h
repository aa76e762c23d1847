/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms for lines (line.h); line.c has them in a table. */
#ifndef FFT_CPU_LINE_ALGORITHMS_H
#define FFT_CPU_LINE_ALGORITHMS_H

#include "fft/cpu/line/line.h"

extern const line_algorithm simd_batch_algorithm, simd_single_algorithm;
extern const line_algorithm any_batch_algorithm,
    real_batch_algorithm; /* any_length/batch_algorithm.c, any_length/real_batch_algorithm.c: many lines */
extern const line_algorithm any_single_algorithm,
    real_single_algorithm; /* any_length/single_algorithm.c, any_length/real_single_algorithm.c: few */
#ifdef ARGAND_HAVE_FFTW
extern const line_algorithm fftw_algorithm; /* fftw.c */
#endif

#endif
