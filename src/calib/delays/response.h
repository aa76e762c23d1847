/* SPDX-License-Identifier: BSD-3-Clause */
/* Actual k-space positions, from nominal ones (Vannesjo et al., MRM 69:583, 2013). The gradient waveform
 * of a readout, the differences of its positions, is filtered by the response H of the gradient system,
 * G'(f) = H(f) G(f). A delay t is H(f) = exp(-2 pi i f t). */
#ifndef CALIB_DELAYS_RESPONSE_H
#define CALIB_DELAYS_RESPONSE_H

#include <argand/array.h>
#include <argand/fft.h>
#include "base/status.h"

/* H at evenly spaced frequencies, with element floor(count/2) at 0 Hz, for each axis of k; and the delays. */
typedef struct gradient_response {
    int64_t count, axes; /* count 0: delays only. Axes beyond the last use the last one */
    double step;         /* frequency spacing in Hz; H is 0 outside the elements */
    double *values;      /* complex {count, axes} */
    double delay[3];     /* s, for x, y, z */
} gradient_response;

/* Copies H, complex or real {frequencies} or {frequencies, axes}, with at least 3 frequencies and 1 to 3
 * axes; NULL: none. name begins the messages, such as "--girf FILE". ARGAND_ARGUMENT: another shape, a
 * step that is not positive, or H(0) further than 0.2 from 1. Call gradient_response_free() also after a
 * failure. */
argand_status gradient_response_take(gradient_response *r, const argand_array *values, double step,
                                     const double delay[3], const char *name);
void gradient_response_free(gradient_response *r);

/* A response with the transforms of one length, which are made again if the length of readouts changes. */
typedef struct gradient_filter {
    const gradient_response *response;
    argand_device *host;
    argand_fft *plan;
    argand_array *waves;
    int64_t n; /* length of the transforms */
} gradient_filter;

/* Computes the actual positions of one readout on x, y, z: from k, in any unit, to `to`. Both have `count`
 * elements, `sample_time` seconds apart, in the order of time. reversed: the last sample was measured
 * first. Gradients are assumed to be 0 before the first sample, so that the first position does not
 * change. filter: 0 but for `response`. */
argand_status gradient_filter_play(gradient_filter *filter, float *const to[3], const float *const k[3],
                                   int64_t count, bool reversed, double sample_time);
void gradient_filter_end(gradient_filter *filter);

#endif
