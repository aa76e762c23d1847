/* SPDX-License-Identifier: BSD-3-Clause */
#define REAL double
#define FFTW(name) fftw_##name
#define CALLS fftw_calls_f64
#include "fft/cpu/fftw/calls.inc.h"
