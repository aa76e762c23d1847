/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise maps by pseudo-replicas (Robson et al., MRM 60:895, 2008): the reconstruction is repeated with noise
 * added to the samples, as large and as correlated as the scan's, and the images' spread is the map. */
#ifndef CLI_SENSE_NOISE_H
#define CLI_SENSE_NOISE_H

#include "sense/sense.h"

/* A copy of the scan whose samples may be changed: the session is made of it. */
typedef struct sense_noise {
    argand_scan scan;
    const argand_scan *original;
    argand_acquisition *acquisitions;
    float *data;
    double *factor; /* complex {channels, channels}, row after row: L of the noise's covariance L L^H */
    int replicas;
    uint64_t seed;
} sense_noise;

argand_status sense_noise_begin(sense_noise *n, const sense_settings *s, const argand_scan *scan,
                                report *out);
/* After a volume was reconstructed into `image`: its map goes to the output. */
argand_status sense_noise_map(sense_noise *n, argand_sense *session, output *images, int volume,
                              const argand_array *image);
void sense_noise_end(sense_noise *n);

#endif
