/* SPDX-License-Identifier: BSD-3-Clause */
/* The distribution of z = R + i w over the pixels, or of the times over the samples, as few weighted
 * points. Without decay, and for times, these are Gauss points of panels. The mean of a squared error over
 * them then equals the mean over all pixels or samples up to rounding, because the squared error is a sum
 * of exponentials with a few turns per panel. With decay, pixels are combined in cells of the plane, at
 * their mean. This is accurate enough to design factors but not to measure errors. A small number of
 * pixels is not combined. */
#ifndef SEGMENTS_HISTOGRAM_H
#define SEGMENTS_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"
#include "segments/numbers.h"

typedef struct histogram {
    int count;
    double complex *at; /* i w + R, or t */
    double *weight;     /* their sum is that of the input */
} histogram;

/* Input: w with its decay (NULL: none), or t. */
typedef struct values {
    int64_t count;
    const double *value, *decay, *weight; /* decay, weight: NULL means 0 and 1 */
    double low, high;                     /* of value */
    double decay_low, decay_high;
} values;

typedef struct histogram_grid {
    int panels, nodes; /* number of panels along value; nodes per panel */
    int strips, cells; /* with decay: strips along value; cells of each strip along decay */
} histogram_grid;

/* Returns panels and nodes for a range that makes `turns` turns with the other factor. The number of
 * panels is a multiple of `multiple`, so that panels end at the pieces of an interpolator. decays: range
 * of R times range of t. */
histogram_grid histogram_grid_for(double turns, int multiple, double decays);
/* Makes a histogram. imaginary: values are imaginary parts (w), otherwise real parts (t). With decay,
 * cells are made. */
argand_status histogram_make(histogram *h, const values *v, const histogram_grid *grid, bool imaginary);
void histogram_release(histogram *h);

#endif
