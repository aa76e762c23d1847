/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engine of our own kernels keeps of a plan, for engine.c, which makes it, and run.c, which uses it.
 */
#ifndef FFT_DEVICE_VARIANT_H
#define FFT_DEVICE_VARIANT_H

#include <pthread.h>
#include "fft/device/box.h"
#include "fft/engine.h"

/* Passes for one geometry. */
typedef struct variant {
    struct variant *next;
    fft_geometry geometry;
    argand_direction direction; /* real plans differ between them */
    box_program program;
    storage *tables;
    storage *counters;         /* of a wave: zeros between launches */
    void *kernels[BOX_PASSES]; /* by the pass; a wave's is its first pass's */
    kernel_replay *replay;     /* of all launches; NULL: one by one */
} variant;

typedef struct box_state {
    box_limits limits;
    int64_t scrambled;    /* see scrambled_factor */
    bool tells_shared;    /* the driver is told how much shared memory a launch has */
    pthread_mutex_t lock; /* of the list */
    variant *variants;
    const variant *usual; /* the one to print */
} box_state;

/* Where a part of a call begins in its arrays. */
typedef struct part {
    int64_t in, out;
} part;

argand_status variant_run(const box_state *s, const variant *v, argand_device *device, const fft_call *call,
                          part first);
/* Small ones get launches that start together. */
argand_status variant_prepare_replay(const box_state *s, variant *v, argand_device *device);

#endif
