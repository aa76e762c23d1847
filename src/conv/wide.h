/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of a high dynamic range, and those with NaN or infinity: the answers to what transforms make of
 * them. A transform's rounding is relative to the whole image's rms and stands on every result. Direct sums
 * round relative to what the kernel meets. */
#ifndef CONV_WIDE_H
#define CONV_WIDE_H

#include "conv/plan.h"

enum { CONV_RUN = 8 }; /* neighbours whose mean tells how dark a region is: RANGE_RUN of the kernel */

/* One channel of one image (range.c). */
typedef struct conv_range {
    double rms, norm;          /* root of the mean of |x|^2, of the sum */
    double brightest, darkest; /* of the means over runs of neighbours; of those not all 0, INFINITY: none */
    bool zeros, strange;       /* a run that is all 0; an element that is not finite */
} conv_range;

/* Numbers that the device is still to find. */
typedef struct conv_range_numbers {
    struct storage *total;
    int64_t images;
    double elements; /* of an image */
} conv_range_numbers;

/* in: {axes..., channels, batch}, the last one may be missing. ranges: one for each channel of each image.
 * begin gives the device its work and does not wait; end waits, and frees. */
argand_status conv_range_begin(conv_range_numbers *numbers, const argand_array *in, int axes);
argand_status conv_range_end(conv_range *ranges, conv_range_numbers *numbers);
void conv_range_free(conv_range_numbers *numbers);
argand_status conv_range_read(conv_range *ranges, const argand_array *in, int axes);
/* The most that transforms leave anywhere, in units of their precision (2^-24, 2^-53) and of the sum of
 * |taps|. shape: root of the sum of |tap|^2 over that sum. */
double conv_range_rounding(const conv_range *range, double shape);
/* Returns true if this is more than `limit` times the darkest mean. */
bool conv_range_is_high(const conv_range *range, double shape, double limit);

/* wide.c: the plan in double precision next to a plan by transforms. */
argand_status conv_wide_new(argand_conv *c);
void conv_wide_limit(argand_conv *c, size_t memory); /* that it may take */
void conv_wide_kernel(argand_conv *c);               /* c->taps have changed */
argand_status conv_wide_blend(argand_conv *c);       /* the sharpness has */
void conv_wide_release(argand_conv *c);
int64_t conv_wide_calls(const argand_conv *c);
/* Views {axes..., channels, batch}: by transforms, each image in the precision that its range asks for. part:
 * what of `in` is no border of the caller's; NULL: all. */
argand_status conv_wide_apply(const argand_conv *c, argand_array *out, const argand_array *in,
                              const conv_part *part);

/* layers.c: a tile in double precision; what its range asks for beyond that. */
typedef struct conv_layers conv_layers;
argand_status conv_layers_new(conv_layers **layers, conv_limits limits, argand_device *host);
/* Takes the folded taps {axes..., kernel channels}, doubles on the host. */
void conv_layers_kernel(conv_layers *layers, argand_array *taps);
/* in is overwritten where its range is beyond double precision. */
argand_status conv_layers_apply(conv_layers *layers, const argand_conv *inner, argand_array *out,
                                argand_array *in);
void conv_layers_release(conv_layers *layers); /* NULL is allowed */

/* strange.c: elements that are not finite, out of a box on the host and into its results. */
typedef struct conv_strange conv_strange;
/* Takes them out of x, a contiguous array {axes..., channels} of doubles. */
argand_status conv_strange_take(conv_strange **strange, argand_array *x, int axes);
/* Puts into y, the results of x in `valid` mode, what direct sums make of them. taps: {axes..., kernel
 * channels}. */
argand_status conv_strange_put(const conv_strange *strange, argand_array *y, const argand_array *taps,
                               int axes);
void conv_strange_free(conv_strange *strange); /* NULL is allowed */

#endif
