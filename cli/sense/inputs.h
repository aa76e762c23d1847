/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that a reconstructing command takes besides the scan: maps, noise, matrices, weights. Read,
 * compared with what their sidecars say, and handed to the session. */
#ifndef CLI_SENSE_INPUTS_H
#define CLI_SENSE_INPUTS_H

#include "sense/sense.h"

typedef struct sense_inputs {
    argand_array *field, *coils, *mask, *phases, *basis, *noise, *whitener, *compression, *weights, *r2star,
        *phase_terms, *girf;
    argand_geometry field_place, coils_place, mask_place, r2star_place; /* of .nii; else not valid */
    double field_scale; /* from the field map's unit to rad/s; kept when the arrays are freed */
    double delay[3];    /* s, of the gradients */
    char whitener_name[4200], girf_name[4200];
} sense_inputs;

/* Reads all that the options name and puts it into o, and what sense_gradients_find() has read. The arrays
 * belong to the inputs. */
argand_status sense_inputs_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                                const argand_scan *scan, argand_sense_options *o, report *out);
void sense_inputs_free(sense_inputs *in);
/* Maps on another grid are put on the image's, by their places; o has them then. places.c. */
argand_status sense_places_fit(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out);
/* The session that the settings ask for; the inputs' arrays are freed. run.c. */
argand_status sense_open_session(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 sense_inputs *in, argand_sense **session, report *out);
/* A note for each line. */
void sense_print_notes(report *out, const char *notes);

/* Noise, whitening matrix, covariance, compression matrix: sense_channels.c. */
argand_status sense_channels_find(sense_inputs *in, const sense_settings *s, argand_sense_options *o,
                                  report *out);
/* The field map in rad/s, whatever its unit: sense_field.c. */
argand_status sense_field_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out);

#endif
