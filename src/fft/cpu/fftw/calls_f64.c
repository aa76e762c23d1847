/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW's functions in double precision as one table. */
#define REAL double
#define FFTW(name) fftw_##name
#define CALLS fftw_calls_f64
#include "fft/cpu/fftw/calls.inc.h"
