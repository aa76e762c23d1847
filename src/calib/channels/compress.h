/* SPDX-License-Identifier: BSD-3-Clause */
/* The two kinds of coil compression. */
#ifndef CALIB_COMPRESS_H
#define CALIB_COMPRESS_H

#include "calib/calib.h"
#include "calib/hermitian.h"

/* Covariances of the coils in groups of samples: element first + i * step of each coil. */
typedef struct compress_task {
    const void *data;
    bool is_double;
    int64_t samples, coils;
    int64_t positions; /* 1, or the readout's length */
    int64_t window;    /* positions to either side that are used as well */
    int threads;
    double *values;           /* {coils, positions}, descending */
    hermitian_planes vectors; /* rows: {coils, coils, positions} */
} compress_task;

/* Eigenvalues and vectors of the covariance at every position. */
argand_status compress_decompose(compress_task *task);
/* Rows of each position, {made, coils} in rows of vectors, are rotated among themselves to be nearest to
 * those of the position before, from the middle to both ends. */
argand_status compress_align(compress_task *task, int64_t made);

#endif
