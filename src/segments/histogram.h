/* SPDX-License-Identifier: BSD-3-Clause */
/* The distribution of the pixels' z = R + i w, or of the samples' times, by few weighted points. Without
 * decay, and for times, they are Gauss points of panels, so that the mean of an error over them is the mean
 * over all pixels, or samples, to rounding: the error squared is a sum of exponentials of which a panel sees
 * a few turns. With decay, pixels are put together in cells of the plane, at their mean, which is
 * good enough to design with, not to measure with; few pixels are left as they are. */
#ifndef SEGMENTS_HISTOGRAM_H
#define SEGMENTS_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"
#include "segments/numbers.h"

typedef struct histogram {
    int count;
    double complex *at; /* i w + R, or t */
    double *weight;     /* their sum is that of what was given */
} histogram;

/* What is counted: w, or t; and with w the decay, or NULL. */
typedef struct values {
    int64_t count;
    const double *value, *decay, *weight; /* decay, weight: NULL for 0 and for 1 */
    double low, high;                     /* of value */
    double decay_low, decay_high;
} values;

typedef struct histogram_grid {
    int panels, nodes; /* along value; nodes of each panel */
    int strips, cells; /* with decay: along value; of each strip along decay */
} histogram_grid;

/* Panels and nodes for a range that the other factor sees as so many turns; panels in multiples of
 * `multiple`, so that they end where an interpolator's pieces do. decays: range of R times range of t. */
histogram_grid histogram_grid_for(double turns, int multiple, double decays);
/* `imaginary`: values become imaginary parts (w), else real ones (t). Decay makes cells. */
argand_status histogram_make(histogram *h, const values *v, const histogram_grid *grid, bool imaginary);
void histogram_release(histogram *h);

#endif
