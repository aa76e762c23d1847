/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps of the g-factor (--gfactor-map) by argand_sense_gfactor. */
#ifndef CLI_SENSE_GFACTOR_H
#define CLI_SENSE_GFACTOR_H

#include "sense/sense.h"

typedef struct sense_gfactor {
    const argand_fill *fill;  /* of argand grappa; NULL: SENSE */
    argand_array *covariance; /* of the channels' noise, for GRAPPA; NULL: white noise is assumed */
} sense_gfactor;

/* Finds the noise covariance, or says that it is taken as white. */
argand_status sense_gfactor_begin(sense_gfactor *g, const sense_settings *s, const argand_scan *scan,
                                  report *out);
/* Computes the map of a volume, whose model is the session's last one, and gives it to the output. */
argand_status sense_gfactor_map(const sense_gfactor *g, argand_sense *session, output *images, int volume);
void sense_gfactor_end(sense_gfactor *g);

#endif
