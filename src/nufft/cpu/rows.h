/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of pixels and of rows of the grid, for the passes of complex and of real images. */
#ifndef NUFFT_CPU_ROWS_H
#define NUFFT_CPU_ROWS_H

#include "nufft/on_host.h"

typedef struct number {
    REAL re, im;
} number;

/* Returns the cell of pixel i of n on a grid of `size`: its distance from the centre, modulo the grid. */
static inline int64_t place(int64_t i, int64_t n, int64_t size)
{
    const int64_t distance = i - n / 2;
    return distance < 0 ? distance + size : distance;
}

static inline number *grid_line(const pass_job *job, int64_t y, int64_t z)
{
    const layout *l = job->l;
    return (number *)job->grid +
           layout_lanes(l, job->mode) * (z * layout_plane(l, job->mode) + y * layout_row(l, job->mode));
}

/* Returns the offset in memory of pixel i of an axis, in elements from the axis' first */
static inline int64_t pixel_offset(const pass_job *job, int axis, int64_t i)
{
    const int64_t at = i + job->image.first[axis], n = job->l->image[axis];
    return (at < n ? at : at - n) * job->image.stride[axis];
}

#endif
