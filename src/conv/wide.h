/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of a high dynamic range, or with NaN or infinity. The rounding error of a transform is relative
 * to the rms of the whole image and reaches every result, also dark ones. The error of direct sums is
 * relative to the elements under the kernel. */
#ifndef CONV_WIDE_H
#define CONV_WIDE_H

#include "conv/plan.h"

enum { CONV_RUN = 8 }; /* neighbours whose mean measures the darkness of a region: RANGE_RUN of the kernel */

/* Range of one channel of one image (range.c). */
typedef struct conv_range {
    double rms, norm; /* root of the mean of |x|^2; root of the sum */
    double brightest,
        darkest;           /* extremes of the means over runs of neighbours, but of zeros; INFINITY: none */
    bool zeros, nonfinite; /* a run of zeros exists; an element is not finite */
} conv_range;

/* Numbers that the device is computing. */
typedef struct conv_range_numbers {
    struct storage *total;
    int64_t images;
    double elements; /* of an image */
} conv_range_numbers;

/* Measures the range of each channel of each image of `in` {axes..., channels[, batch]}. conv_range_begin
 * starts the device's work and does not wait; conv_range_end waits, writes ranges and frees. */
argand_status conv_range_begin(conv_range_numbers *numbers, const argand_array *in, int axes);
argand_status conv_range_end(conv_range *ranges, conv_range_numbers *numbers);
void conv_range_free(conv_range_numbers *numbers);
argand_status conv_range_read(conv_range *ranges, const argand_array *in, int axes);
/* Returns a bound of the rounding error of transforms, in units of the precision (2^-24, 2^-53) and of the
 * sum of |taps|. shape: root of the sum of |tap|^2 over that sum. */
double conv_range_rounding(const conv_range *range, double shape);
/* Returns true if this bound is more than `limit` times the darkest mean. */
bool conv_range_is_high(const conv_range *range, double shape, double limit);

/* wide.c: the second plan, in double precision. conv_wide_kernel forgets it after c->taps changed;
 * conv_wide_calls returns how many images it has convolved. */
void conv_wide_kernel(argand_conv *c);
int64_t conv_wide_calls(const argand_conv *c);

/* layers.c: convolves a tile in double precision, and beyond it by layers. */
typedef struct conv_layers conv_layers;
argand_status conv_layers_new(conv_layers **layers, conv_limits limits, argand_device *host);
/* Takes ownership of the folded taps {axes..., kernel channels}, doubles on the host. */
void conv_layers_kernel(conv_layers *layers, argand_array *taps);
/* Convolves a tile. Overwrites `in` if its range exceeds double precision. */
argand_status conv_layers_apply(conv_layers *layers, const argand_conv *inner, argand_array *out,
                                argand_array *in);
void conv_layers_release(conv_layers *layers); /* NULL is allowed */

/* nonfinite.c: removes elements that are not finite from a box on the host, and adds their effect to the
 * results. */
typedef struct conv_nonfinite conv_nonfinite;
/* Removes them from x, a contiguous array {axes..., channels} of doubles. */
argand_status conv_nonfinite_take(conv_nonfinite **nonfinite, argand_array *x, int axes);
/* Adds their effect, as direct sums define it, to y, the results of x in `valid` mode. taps: {axes...,
 * kernel channels}. */
argand_status conv_nonfinite_put(const conv_nonfinite *nonfinite, argand_array *y, const argand_array *taps,
                                 int axes);
void conv_nonfinite_free(conv_nonfinite *nonfinite); /* NULL is allowed */

#endif
