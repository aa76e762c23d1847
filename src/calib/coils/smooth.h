/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of coil map estimation (adaptive.c), for both precisions. Complex images are
 * interleaved; n are their sizes; all data are on the host. */
#ifndef CALIB_SMOOTH_H
#define CALIB_SMOOTH_H

#include <stdint.h>
#include "base/cpu.h"

typedef struct smooth_task {
    int64_t n[3], pixels, coils;
    int half;           /* the window has 2 half + 1 taps */
    const double *taps; /* [0..half] */
    double scale;       /* factor of the images that keeps their squares in range */
    int threads;
} smooth_task;

/* Computes sum = scale * sum_c conj(maps_c) images_c at each pixel. */
CPU_DECLARE(void, smooth_combine, const smooth_task *task, void *sum, const void *maps, const void *images);
/* Computes map = G(scale * image conj(sum)), where G is the separable Gaussian; scratch: one complex
 * image. */
CPU_DECLARE(void, smooth_correlate, const smooth_task *task, void *map, const void *image, const void *sum,
            void *scratch);
/* Scales maps to sum_c |maps_c|^2 = 1; 0 where that sum is below 1e-30. */
CPU_DECLARE(void, smooth_normalise, const smooth_task *task, void *maps);

#endif
