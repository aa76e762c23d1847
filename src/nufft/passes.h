/* SPDX-License-Identifier: BSD-3-Clause */
/* FFT of the oversampled grid, one axis after another. The first pass loads the image, deapodises, shifts and
 * pads it; the last crops, shifts, deapodises and stores it. Lines that are known to be zero are not
 * transformed, and lines that nobody wants are not computed: those that lie beyond the image, and those where
 * no point is, which are most where an image is much finer than its samples. The axis of planes (plan.h)
 * comes first forward and last in the adjoint, so that planes without points are left alone. */
#ifndef NUFFT_PASSES_H
#define NUFFT_PASSES_H

#include "nufft/plan.h"

/* Image pixels of a group of vectors */
typedef struct image_view {
    char *data; /* complex */
    int64_t stride[3];
    int64_t first[3];       /* of each axis: where pixel 0 lies; pixels go on from there, round the axis */
    const int64_t *vectors; /* of each vector: its first pixel, in elements */
    int vector_count;
} image_view;

typedef struct pass_job {
    const layout *l;
    lane_mode mode;
    int threads;
    void *grid;
    char *lines; /* space for the lines of each thread */
    size_t line_bytes;
    image_view image;
    const bool *const *used; /* of the points */
} pass_job;

CPU_DECLARE(void, nufft_image_to_grid, const pass_job *job);
CPU_DECLARE(void, nufft_grid_to_image, const pass_job *job);
/* real.c: margins of half a grid, after the passes forward and before those of the adjoint; the pass along
 * rows */
CPU_DECLARE(void, nufft_margins, const pass_job *job, argand_direction direction);
CPU_DECLARE(void, nufft_real_rows, const pass_job *job, argand_direction direction);

#endif
