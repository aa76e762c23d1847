/* SPDX-License-Identifier: BSD-3-Clause */
#define REAL float
#define FFTW(name) fftwf_##name
#define CALLS line_calls_f32
#include "fft/host/line.inc.h"
