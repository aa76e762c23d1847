/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a reconstructing command reads in addition to the scan: maps, noise, matrices, weights. Each
 * is compared with its sidecar and given to the session. */
#ifndef CLI_SENSE_INPUTS_H
#define CLI_SENSE_INPUTS_H

#include "sense/sense.h"

typedef struct sense_inputs {
    argand_array *field, *coils, *mask, *phases, *basis, *noise, *whitener, *compression, *weights, *r2star,
        *phase_terms, *girf;
    argand_geometry field_place, coils_place, mask_place,
        r2star_place;   /* positions from .nii files; otherwise not valid */
    double field_scale; /* factor from the field map's unit to rad/s; remains when the arrays are freed */
    double delay[3];    /* gradient delays in s */
    char whitener_name[4200], girf_name[4200];
} sense_inputs;

/* Reads all files that the options name and puts the arrays into o, with those of sense_gradients_find().
 * The inputs own the arrays. */
argand_status sense_inputs_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                                const argand_scan *scan, argand_sense_options *o, report *out);
void sense_inputs_free(sense_inputs *in);
/* Resamples maps on another grid to the image's grid by their positions and puts the results into o
 * (places.c). */
argand_status sense_places_fit(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out);
/* Makes the options of a session; the inputs own their arrays (session.c). */
argand_status sense_find_options(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 sense_inputs *in, argand_sense_options *o, report *out);
/* Counts the volumes of a scan without maps and channels (places.c). */
argand_status sense_count_volumes(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                  int *count);
/* Opens the session of the settings and frees the inputs' arrays (session.c). */
argand_status sense_open_session(const sense_settings *s, argand_device *device, const argand_scan *scan,
                                 sense_inputs *in, argand_sense **session, report *out);
/* Prints a note for each line. */
void sense_print_notes(report *out, const char *notes);

/* Finds noise, whitening matrix, covariance and compression matrix (channels.c). */
argand_status sense_channels_find(sense_inputs *in, const sense_settings *s, argand_sense_options *o,
                                  report *out);
/* Finds the field map and converts it to rad/s (field.c). */
argand_status sense_field_find(sense_inputs *in, const sense_settings *s, argand_device *device,
                               const argand_scan *scan, argand_sense_options *o, report *out);

#endif
