/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to compute lines (line.h); line.c has them in a table. */
#ifndef FFT_CPU_LINE_ALGORITHMS_H
#define FFT_CPU_LINE_ALGORITHMS_H

#include "fft/cpu/line/line.h"

extern const line_way line_way_across, line_way_within;
extern const line_way line_way_primes,
    line_way_real; /* any_length/batch_algorithm.c, any_length/real_batch_algorithm.c: many lines */
extern const line_way line_way_along,
    line_way_real_along; /* any_length/single_algorithm.c, any_length/real_single_algorithm.c: few */
#ifdef ARGAND_HAVE_FFTW
extern const line_way line_way_fftw; /* fftw.c */
#endif

#endif
