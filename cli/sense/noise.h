/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise maps (--noise-map) by argand_sense_noise: finds the noise of the channels and computes the map of
 * each volume. */
#ifndef CLI_SENSE_NOISE_H
#define CLI_SENSE_NOISE_H

#include "sense/sense.h"

typedef struct sense_noise {
    argand_array *factor; /* factor of the noise covariance; NULL: white noise is assumed */
    int replicas;
} sense_noise;

/* Measures the noise covariance {channels, channels} by the scan's noise acquisitions or --noise. Noise of
 * another bandwidth is scaled by the ratio of the dwell times. */
argand_status sense_noise_covariance(argand_array **covariance, const sense_settings *s,
                                     const argand_scan *scan, argand_device *host);
argand_status sense_noise_begin(sense_noise *n, const sense_settings *s, const argand_scan *scan,
                                report *out);
/* Computes the noise map of the volume in `image` and gives it to the output. */
argand_status sense_noise_map(const sense_noise *n, argand_sense *session, output *images, int volume,
                              const argand_array *image);
void sense_noise_end(sense_noise *n);

#endif
