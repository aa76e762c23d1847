/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms for lines (line.h), each in a folder above this one; cpu/algorithms.c
 * has them in a table. */
#ifndef FFT_CPU_LINE_ALGORITHMS_H
#define FFT_CPU_LINE_ALGORITHMS_H

#include "fft/cpu/line/line.h"

/* Many lines at a time. */
extern const line_algorithm simd_batch_algorithm, any_batch_algorithm, real_batch_algorithm;
/* One line at a time. */
extern const line_algorithm simd_single_algorithm, sums_single_algorithm, any_single_algorithm,
    real_single_algorithm, real_codelet_algorithm;
#ifdef ARGAND_HAVE_FFTW
extern const line_algorithm fftw_algorithm;
#endif

/* All of them, NULL-ended; of equal costs the first one is taken. */
extern const line_algorithm *const line_algorithms[LINE_MOST_ALGORITHMS];

#endif
