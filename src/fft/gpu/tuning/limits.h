/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of a device's blocks, with the tuning. */
#ifndef FFT_GPU_TUNING_LIMITS_H
#define FFT_GPU_TUNING_LIMITS_H

#include "device/device.h"
#include "fft/gpu/tuning/tuning.h"

/* Bytes of a multiprocessor's shared memory: those that a single block cannot have, and the overhead of
 * each block. */
enum { SHARED_LEFT = 4096, SHARED_OF_EACH = 1024 };

/* Limits of a block on a device. */
typedef struct block_limits {
    argand_device *device;
    gpu_tuning tuning;
    bool is_double;
    int element_bytes;     /* bytes of a complex number */
    int threads;           /* threads of a block, at most */
    int points_per_thread; /* points of a thread, at most */
    int cluster;           /* most blocks that can access each other's shared memory; 0: none */
    bool persistent;       /* blocks may wait for other blocks */
    bool overlaps;         /* a launch may begin before the previous one has ended */
    int units;             /* number of multiprocessors */
    int64_t shared_bytes;  /* shared memory of a block, in bytes */
    int64_t work_bytes;    /* work memory that a call may use, in bytes */
    int64_t work_most;     /* the same if a smaller part would divide cache lines */
    bool keyed;            /* dry programs (without tables) get the keys of their kernels as well */
    bool outlined;     /* dry programs only need the kinds of passes: skip layouts that take long to find */
    bool whole;        /* persistent passes must cover whole transforms */
    bool unscaled;     /* the plan's factors are 1 */
    bool out_of_place; /* input and output are different memory */
    bool convolves;    /* allow composite radices above 16, which need the fewest exchanges */
    bool chirped;      /* use the costs fitted to Bluestein's lines */
} block_limits;

int limits_max_points(const block_limits *l); /* points of a block, at most */
/* the same if one block on a multiprocessor is enough */
int limits_max_convolution(const block_limits *l);
/* the same for planes of pairs of reals, whose half spectra also need shared memory */
int limits_real_plane_points(const block_limits *l);

#endif
