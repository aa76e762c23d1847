/* SPDX-License-Identifier: BSD-3-Clause */
/* The two kinds of coil compression. */
#ifndef CALIB_COMPRESS_H
#define CALIB_COMPRESS_H

#include "calib/calib.h"
#include "calib/hermitian.h"

/* Covariances of the coils in groups of samples: elements first + i * step of each coil. */
typedef struct compress_task {
    const void *data;
    bool is_double;
    int64_t samples, coils;
    int64_t positions; /* 1, or the length of the readout */
    int64_t window;    /* number of positions on either side that are included */
    int threads;
    double *values;           /* {coils, positions}, descending */
    hermitian_planes vectors; /* rows: {coils, coils, positions} */
} compress_task;

/* Computes eigenvalues and eigenvectors of the covariance at every position. */
argand_status compress_decompose(compress_task *task);
/* Rotates the rows of each position, {made, coils} in rows of vectors, within their span, so that they are
 * nearest to those of the position before. Positions run from the middle to both ends. */
argand_status compress_align(compress_task *task, int64_t made);

#endif
