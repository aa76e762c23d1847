/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduces an image to a size that fits a page: averages blocks of pixels within a slice, and leaves out
 * slices and volumes. */
#ifndef REPORT_REDUCE_H
#define REPORT_REDUCE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct reduction {
    int64_t from[4]; /* x, y, slices, volumes (all further dimensions) */
    int64_t step[4]; /* 1: not reduced along this axis */
    int64_t n[4];    /* size of the reduced image */
} reduction;

/* Chooses a reduction to at most `limit` pixels (at least one pixel). */
void reduction_choose(reduction *r, const int64_t from[4], int64_t limit);
bool reduction_is_whole(const reduction *r);
/* The numbers of an image: floats or doubles, `parts` (1 or 2) per pixel. */
typedef struct reduction_pixels {
    const void *numbers;
    bool doubles;
    int parts;
} reduction_pixels;
/* Reduces an image. out: floats, freed by the caller. */
argand_status reduction_apply(const reduction *r, const reduction_pixels *from, float **out);

#endif
