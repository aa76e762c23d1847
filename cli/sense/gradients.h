/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions as the gradients played them: k-space delays (--delay), and a measured gradient impulse response
 * (--girf; Vannesjo et al., MRM 69:583, 2013) in place of what the scan says was asked for. */
#ifndef CLI_SENSE_GRADIENTS_H
#define CLI_SENSE_GRADIENTS_H

#include "sense/sense.h"

/* The scan with other positions. */
typedef struct sense_gradients {
    argand_scan scan;
    argand_acquisition *lists[3]; /* image data, calibrations, navigators */
    float *positions;
} sense_gradients;

bool sense_gradients_wanted(const sense_settings *s);
argand_status sense_gradients_begin(sense_gradients *g, const sense_settings *s, const argand_scan *scan,
                                    report *out);
void sense_gradients_end(sense_gradients *g);

#endif
