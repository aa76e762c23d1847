/* SPDX-License-Identifier: BSD-3-Clause */
/* The passes of the engine "cpu" over a grid of cells of `lanes` complex numbers. Rows are loaded with
 * padding and factors and transformed; columns along the last axis are transformed, multiplied by the
 * spectrum and transformed back while they are in the nearest cache, so the grid is never longer than the
 * image along that axis; what nobody wants is not computed. */
#ifndef TOEPLITZ_PASSES_H
#define TOEPLITZ_PASSES_H

#include "base/cpu.h"
#include "fft/cpu/bundle/bundle.h"
#include "toeplitz/plan.h"

enum { CELL_BYTES = 64, MOST_LANES = 8 };

/* One vector under one kernel. Maps and diagonals may be absent. */
typedef struct toeplitz_lane {
    const void *in, *map, *space, *spectrum; /* complex; spectrum: real */
    void *out;
    bool add; /* to out */
} toeplitz_lane;

typedef struct toeplitz_job {
    int64_t n[3], grid[3]; /* image; convolution */
    int rank, threads;
    int lanes, used, many; /* of a cell; with vectors; of a cell of 64 bytes */
    toeplitz_lane lane[MOST_LANES];
    void *cells;
    int64_t row, plane; /* numbers from one row of cells to the next, and from one plane */
    char *scratch;      /* each thread's */
    size_t scratch_bytes;
    fft_bundle *const *lines; /* of each axis */
} toeplitz_job;

CPU_DECLARE(void, toeplitz_convolve, const toeplitz_job *job);

#endif
