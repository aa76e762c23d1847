/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions in k-space as the gradients played them, from those that were asked for (Vannesjo et al., MRM
 * 69:583, 2013): the gradient waveform of a readout, the differences of its positions, goes through the
 * response H of the gradient system, G'(f) = H(f) G(f). A delay t is H(f) = exp(-2 pi i f t). */
#ifndef CALIB_DELAYS_RESPONSE_H
#define CALIB_DELAYS_RESPONSE_H

#include <argand/array.h>
#include <argand/fft.h>
#include "base/status.h"

/* H at even steps of frequency, element floor(count/2) at 0 Hz, for each axis of k; times the delays. */
typedef struct gradient_response {
    int64_t count, axes; /* count 0: the delays alone. The last of the axes is for those that follow */
    double step;         /* Hz from element to element; 0 beyond the first and the last one */
    double *values;      /* complex {count, axes} */
    double delay[3];     /* s, of x, y and z */
} gradient_response;

/* Takes a copy of H, complex or real {frequencies} or {frequencies, axes}, 3 frequencies and 1 to 3 axes;
 * NULL: none. name begins the messages, say "--girf FILE". ARGAND_ARGUMENT: another shape, a step that is not
 * above 0, or an H(0) further than 0.2 from 1. gradient_response_free() also after a failure. */
argand_status gradient_response_take(gradient_response *r, const argand_array *values, double step,
                                     const double delay[3], const char *name);
void gradient_response_free(gradient_response *r);

/* A response and the transforms of one length, which are made anew where readouts differ in it. */
typedef struct gradient_filter {
    const gradient_response *response;
    argand_device *host;
    argand_fft *plan;
    argand_array *waves;
    int64_t n; /* of the transforms */
} gradient_filter;

/* The positions of one readout on x, y, z: from k, in any unit, to `to`, `count` each, `sample_time` seconds
 * apart in the order of time. reversed: the last sample was measured first. Before its first sample the
 * gradients are taken to be at rest, so that the first position stays. filter: zeroed but for `response`. */
argand_status gradient_filter_play(gradient_filter *filter, float *const to[3], const float *const k[3],
                                   int64_t count, bool reversed, double sample_time);
void gradient_filter_end(gradient_filter *filter);

#endif
