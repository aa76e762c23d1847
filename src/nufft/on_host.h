/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT of processors (cpu/), as plans call it: between samples and the oversampled grid tile by tile,
 * between the grid and the image by an FFT, and the memory of a call. Devices that the host cannot address
 * have on_device.h. */
#ifndef NUFFT_ON_HOST_H
#define NUFFT_ON_HOST_H

#include "nufft/plan.h"

/* The samples of a group of vectors */
typedef struct sample_view {
    void *data; /* complex */
    int64_t stride;
    const int64_t *vectors; /* of each vector: its first sample, in elements */
    int vector_count;
} sample_view;

/* cpu/gridding.c, on all threads. grid = sum of the samples' windows */
void gridding_spread(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples);
/* samples = the grid seen through their windows */
void gridding_interpolate(const argand_nufft *plan, lane_mode mode, workspace *s, const sample_view *samples);

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

/* cpu/passes.c: the FFT of the oversampled grid, one axis after another. The first pass loads the image,
 * deapodises, shifts and pads it; the last crops, shifts, deapodises and stores it. Two kinds of lines are
 * skipped: lines that are known to be zero, and lines that are not needed, which lie outside the image or on
 * rows that no point touches. The axis of planes (plan.h) comes first forward and last in the adjoint, so
 * that planes without points are left alone. */
CPU_DECLARE(void, nufft_image_to_grid, const pass_job *job);
CPU_DECLARE(void, nufft_grid_to_image, const pass_job *job);
/* cpu/real.c: margins of half a grid, after the passes forward and before those of the adjoint; the pass
 * along rows */
CPU_DECLARE(void, nufft_margins, const pass_job *job, argand_direction direction);
CPU_DECLARE(void, nufft_real_rows, const pass_job *job, argand_direction direction);

/* cpu/points.c; scale: see argand_nufft */
argand_status points_create(points **out, const layout *l, argand_array *const k[], const double scale[3],
                            int threads);
void points_destroy(points *p);

/* cpu/workspace.c */
argand_status workspace_take(workspace **out, const argand_nufft *plan, lane_mode mode);
void workspace_give_back(const argand_nufft *plan, workspace *s);
void workspace_destroy(workspace *s);
size_t workspace_bytes(const workspace *s); /* 0 of NULL */
/* Returns the bytes that a call needs for each of its vectors: of one alone, or its share of as many as go
 * together. */
size_t workspace_wanted(const argand_nufft *plan, int threads);

#endif
