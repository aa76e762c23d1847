/* SPDX-License-Identifier: BSD-3-Clause */
/* What the blocks of a device may use, and how they are to. */
#ifndef FFT_GPU_TUNING_LIMITS_H
#define FFT_GPU_TUNING_LIMITS_H

#include "device/device.h"
#include "fft/gpu/tuning/tuning.h"

/* Shared memory of a multiprocessor: what a single block may not have, and what each takes besides. */
enum { SHARED_LEFT = 4096, SHARED_OF_EACH = 1024 };

/* What a block of a device may use. */
typedef struct block_limits {
    argand_device *device;
    gpu_tuning tuning;
    bool is_double;
    int element_bytes;     /* of a complex number */
    int threads;           /* in a block */
    int points_per_thread; /* points that a thread holds */
    int cluster;           /* blocks that reach each other's shared memory at most; 0: none */
    bool persistent;       /* blocks may wait for others */
    bool overlaps;         /* launches may begin before the one before has ended */
    int units;             /* multiprocessors */
    int64_t shared_bytes;  /* of a block */
    int64_t work_bytes;    /* that a call may take at a time */
    int64_t work_most;     /* and where less would cut lines of memory */
    bool keyed;            /* programs without tables (dry) get their kernels' keys all the same */
    bool outlined; /* of dry programs only the kinds of passes are wanted: no orders that take long to find */
    bool whole;    /* no persistent passes but of whole transforms */
    bool unscaled; /* the plan's factors are 1 */
    bool out_of_place; /* in and out are two pieces of memory */
    bool convolves;    /* composite radices above 16 as well, for as few exchanges as there may be */
    bool chirped;      /* Bluestein's lines, whose cost was fitted to measurements */
} block_limits;

int limits_max_points(const block_limits *l);      /* that fit in a block */
int limits_max_convolution(const block_limits *l); /* where one block at a time will do */

#endif
