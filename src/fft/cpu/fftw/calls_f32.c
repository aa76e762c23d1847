/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW's functions in single precision as one table. */
#define REAL float
#define FFTW(name) fftwf_##name
#define CALLS fftw_calls_f32
#include "fft/cpu/fftw/calls.inc.h"
