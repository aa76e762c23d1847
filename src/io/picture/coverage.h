/* SPDX-License-Identifier: BSD-3-Clause */
/* Fraction of each pixel that lies within closed outlines, computed exactly from the area under each edge. */
#ifndef IO_COVERAGE_H
#define IO_COVERAGE_H

#include "base/status.h"

typedef struct coverage {
    int width, height;
    float *cells; /* width + 2 in a row; the sum from the left up to a cell is the coverage of its pixel */
} coverage;

argand_status coverage_new(coverage *c, int width, int height);
void coverage_free(coverage *c);
/* Adds one straight edge of an outline. A hole runs in the direction opposite to the outline around it. */
void coverage_edge(coverage *c, const double from[2], const double to[2]);

#endif
