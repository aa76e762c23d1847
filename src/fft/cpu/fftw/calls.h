/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of FFTW that are used, once for each precision. */
#ifndef FFT_CPU_FFTW_CALLS_H
#define FFT_CPU_FFTW_CALLS_H

#include "fft/cpu/line/line.h"

typedef struct fftw_calls {
    /* howmany lines, at strides of in_pitch and out_pitch elements */
    void *(*plan)(line_kind kind, int64_t n, int64_t howmany, int64_t in_pitch, int64_t out_pitch, void *in,
                  void *out, int inverse, unsigned flags);
    void (*execute)(void *plan, line_kind kind, void *in, void *out, int inverse);
    void (*destroy)(void *plan);
} fftw_calls;
extern const fftw_calls fftw_calls_f32, fftw_calls_f64;

#endif
