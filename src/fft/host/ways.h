/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to compute lines (line.h); line.c has them in a table. */
#ifndef FFT_WAYS_H
#define FFT_WAYS_H

#include "fft/host/line.h"

extern const line_way line_way_primes, line_way_real;       /* primes_way.c, real_way.c: many lines */
extern const line_way line_way_along, line_way_real_along; /* along_way.c, real_along.c: few */
extern const line_way line_way_across, line_way_within;
#ifdef ARGAND_HAVE_FFTW
extern const line_way line_way_fftw; /* fftw.c */
#endif

#endif
