/* SPDX-License-Identifier: BSD-3-Clause */
/* Between samples and the oversampled grid, tile by tile, on all threads. */
#ifndef NUFFT_GRIDDING_H
#define NUFFT_GRIDDING_H

#include "nufft/plan.h"

/* The samples of a group of vectors */
typedef struct sample_view {
    void *data; /* complex */
    int64_t stride;
    const int64_t *vectors; /* of each vector: its first sample, in elements */
    int vector_count;
} sample_view;

/* grid = sum of the samples' windows */
void gridding_spread(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples);
/* samples = the grid seen through their windows */
void gridding_interpolate(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples);

#endif
