/* SPDX-License-Identifier: BSD-3-Clause */
/* An image made small enough for a page: blocks of pixels averaged within a slice, some slices and volumes
 * left out. */
#ifndef REPORT_REDUCE_H
#define REPORT_REDUCE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct reduction {
    int64_t from[4]; /* x, y, slices, volumes (all further dimensions) */
    int64_t step[4]; /* 1: nothing is lost along this one */
    int64_t n[4];    /* what is left */
} reduction;

/* At most `limit` pixels (never less than one). */
void reduction_choose(reduction *r, const int64_t from[4], int64_t limit);
bool reduction_is_whole(const reduction *r);
/* numbers: floats or doubles, `parts` (1 or 2) a pixel. out: floats of the reduced image, to be freed. */
argand_status reduction_apply(const reduction *r, const void *numbers, bool doubles, int parts, float **out);

#endif
