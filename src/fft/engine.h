/* SPDX-License-Identifier: BSD-3-Clause */
/* One way to compute transforms. plan.c takes the first of the table that can do a problem on the plan's
 * device, or else on the host; a native engine and FFTW's own multidimensional plans are further entries. */
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
    bool contiguous; /* wants calls on contiguous arrays only; plan.c packs what is not */
    /* NULL where it can do the problem, otherwise why not, in words. */
    const char *(*applicable)(const fft_problem *problem, argand_device *device);
    argand_status (*create)(void **state, const fft_problem *problem, argand_device *device);
    /* From several threads at once. */
    argand_status (*apply)(const void *state, const fft_problem *problem, argand_device *device,
                           const fft_call *call);
    void (*print)(const void *state, text *t);
    void (*destroy)(void *state); /* NULL is allowed */
} fft_engine;

extern const fft_engine fft_engine_passes, fft_engine_cufft;

/* packed.c: the call on contiguous copies of its arrays on the device `worker`. */
argand_status packed_apply(const fft_engine *engine, const void *state, const fft_problem *problem,
                           argand_device *worker, const fft_call *call);

#endif
