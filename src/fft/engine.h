/* SPDX-License-Identifier: BSD-3-Clause */
/* One way to compute transforms. plan.c takes the first of the table that can do a problem; a native engine,
 * FFTW's own multidimensional plans and cuFFT are further entries. */
#ifndef FFT_ENGINE_H
#define FFT_ENGINE_H

#include "base/text.h"
#include "fft/problem.h"

/* One call: memory and how it is walked. */
typedef struct fft_call {
    const fft_geometry *geometry;
    argand_array *out;
    const argand_array *in;
    argand_direction direction;
    double factor;
} fft_call;

typedef struct fft_engine {
    const char *name;
    /* NULL where it can do the problem, otherwise why not, in words. */
    const char *(*applicable)(const fft_problem *problem, argand_device *device);
    argand_status (*create)(void **state, const fft_problem *problem, argand_device *device);
    /* From several threads at once. */
    argand_status (*apply)(const void *state, const fft_problem *problem, argand_device *device,
                           const fft_call *call);
    void (*print)(const void *state, text *t);
    void (*destroy)(void *state); /* NULL is allowed */
} fft_engine;

extern const fft_engine fft_engine_passes;

#endif
