/* SPDX-License-Identifier: BSD-3-Clause */
/* Areas of Voronoi cells in the plane. */
#ifndef CALIB_VORONOI_H
#define CALIB_VORONOI_H

#include "base/whole.h"
#include "calib/calib.h"

/* A sample during sorting: rounded position, original index. */
typedef struct voronoi_point {
    int64_t column, row, index;
    double x, y;
} voronoi_point;

typedef struct voronoi_task {
    int64_t samples, count; /* number of samples, and of different positions */
    double *x, *y;          /* {count}, sorted by x, then y */
    int64_t *owner;         /* {samples}: index of the position */
    int64_t *sharing;       /* {count}: number of samples at the position */
    double low[2], high[2];
    int64_t *hull, corners; /* counter-clockwise */
    double area;            /* area of the hull */
    double bucket_width;
    int64_t columns, rows, *start, *list;
    double *cells; /* {count}: areas */
} voronoi_task;

static inline int64_t voronoi_column(const voronoi_task *t, double x)
{
    return whole((x - t->low[0]) / t->bucket_width, 0, t->columns - 1);
}
static inline int64_t voronoi_row(const voronoi_task *t, double y)
{
    return whole((y - t->low[1]) / t->bucket_width, 0, t->rows - 1);
}
static inline int64_t voronoi_bucket(const voronoi_task *t, double x, double y)
{
    return voronoi_row(t, y) * t->columns + voronoi_column(t, x);
}

/* Computes the areas `cells`. */
argand_status voronoi_cells(voronoi_task *task, int threads);

#endif
