/* SPDX-License-Identifier: BSD-3-Clause */
/* The passes of the engine "cpu" over a grid of cells of `lanes` complex numbers. Rows are loaded with
 * padding and factors, and transformed. Columns along the last axis are transformed, multiplied by the
 * spectrum and transformed back while they are in the first cache, so that the grid never exceeds the
 * image along that axis. Points that the result does not need are not computed. */
#ifndef TOEPLITZ_PASSES_H
#define TOEPLITZ_PASSES_H

#include "base/cpu.h"
#include "fft/cpu/bundle/bundle.h"
#include "toeplitz/plan.h"

enum { CELL_BYTES = 64, MOST_LANES = 8 };

/* One vector under one kernel. Maps and diagonals may be NULL. */
typedef struct toeplitz_lane {
    const void *in, *map, *space, *spectrum; /* complex; spectrum: real */
    void *out;
    bool add; /* add to out instead of writing it */
} toeplitz_lane;

typedef struct toeplitz_job {
    int64_t n[3], grid[3]; /* size of the image; size of the convolution */
    int rank, threads;
    int lanes, used, many; /* lanes of a cell; lanes with a vector; lanes of a cell of 64 bytes */
    toeplitz_lane lane[MOST_LANES];
    void *cells;
    int64_t row, plane; /* distance, in numbers, between rows of cells, and between planes */
    char *scratch;      /* work memory of all threads */
    size_t scratch_bytes;
    fft_bundle *const *lines; /* FFT along each axis */
} toeplitz_job;

CPU_DECLARE(void, toeplitz_convolve, const toeplitz_job *job);

#endif
