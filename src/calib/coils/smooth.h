/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of coil map estimation (coils_adaptive.c), for both precisions. Complex images are
 * interleaved; n are their sizes; everything is on the host. */
#ifndef CALIB_SMOOTH_H
#define CALIB_SMOOTH_H

#include <stdint.h>
#include "base/cpu.h"

typedef struct smooth_task {
    int64_t n[3], pixels, coils;
    int half;           /* the window has 2 half + 1 taps */
    const double *taps; /* [0..half] */
    double scale;       /* applied to the images, so that their squares stay in range */
    int threads;
} smooth_task;

/* sum = scale * sum_c conj(maps_c) images_c, at each pixel */
CPU_DECLARE(void, smooth_combine, const smooth_task *task, void *sum, const void *maps, const void *images);
/* map = G(scale * image conj(sum)), G the separable Gaussian; scratch: one complex image */
CPU_DECLARE(void, smooth_correlate, const smooth_task *task, void *map, const void *image, const void *sum,
            void *scratch);
/* maps scaled to sum_c |maps_c|^2 = 1; 0 where that sum is below 1e-30 */
CPU_DECLARE(void, smooth_normalise, const smooth_task *task, void *maps);

#endif
