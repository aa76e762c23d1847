/* SPDX-License-Identifier: BSD-3-Clause */
/* What the blocks of a device may use, and how they are to. */
#ifndef FFT_GPU_TUNING_LIMITS_H
#define FFT_GPU_TUNING_LIMITS_H

#include "device/device.h"
#include "fft/gpu/tuning/tuning.h"

/* Shared memory of a multiprocessor: what a single group may not have, and what each takes besides. */
enum { BOX_SHARED_LEFT = 4096, BOX_SHARED_OF_EACH = 1024 };

/* What a group of a device may use. */
typedef struct box_limits {
    argand_device *device;
    gpu_tuning tuning;
    bool is_double;
    int item_bytes;       /* of a complex number */
    int items;            /* in a group */
    int values;           /* points that an item holds */
    int cluster;          /* groups that reach each other's shared memory at most; 0: none */
    bool waves;           /* groups may wait for others */
    bool overlaps;        /* launches may begin before the one before has ended */
    int units;            /* multiprocessors */
    int64_t shared_bytes; /* of a group */
    int64_t work_bytes;   /* that a call may take at a time */
    bool keyed;           /* programs without tables (dry) get their kernels' keys all the same */
    bool outlined; /* of dry programs only the kinds of passes are wanted: no orders that take long to find */
    bool whole;    /* no waves but of whole transforms */
    bool unscaled; /* the plan's factors are 1 */
    bool apart;    /* in and out are two pieces of memory */
    bool convolves; /* composite radices above 16 as well, for as few exchanges as there may be */
    bool chirped;   /* Bluestein's lines, whose cost was fitted to measurements */
} box_limits;

int box_most_points(const box_limits *l);    /* that fit in a group */
int box_most_convolved(const box_limits *l); /* where one group at a time will do */

#endif
