/* SPDX-License-Identifier: BSD-3-Clause */
#define REAL double
#define FFTW(name) fftw_##name
#define CALLS line_calls_f64
#include "fft/host/line.inc.h"
