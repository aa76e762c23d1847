/* SPDX-License-Identifier: BSD-3-Clause */
/* From acquisitions to samples: which make which volume, where they lie, channels that are whitened and
 * compressed. */
#ifndef RECON_SAMPLES_H
#define RECON_SAMPLES_H

#include "recon/maps/maps.h"

argand_status volumes_find(argand_sense *s);
/* Whether calibration acquisitions are lines of the image; what is said about it once volumes are known. */
argand_status embedded_find(argand_sense *s);
void embedded_note(argand_sense *s);
/* Which zeros were not measured, from the first `rows` of the session's; whether a sample is one of them;
 * whether rows hold nothing but zeros. */
void zeros_find(argand_sense *s, int64_t rows);
bool zeros_hold(const argand_sense *s, const argand_acquisition *a, int64_t i);
bool zeros_are_all(const recon_row *rows, int64_t count);
argand_status shots_find(argand_sense *s);
/* The response of the gradients, where options name one; the scan becomes the session's, with the positions
 * that the gradients played, which gradients_forget() frees. */
argand_status gradients_take(argand_sense *s, const argand_sense_options *given);
argand_status gradients_play(argand_sense *s, const argand_scan *scan);
void gradients_forget(recon_played *played);
void gradients_free(argand_sense *s);
argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out);
/* terms.c: measured phase that was given: checked; put to a volume's samples, its linear part into their k.
 */
argand_status terms_take(argand_sense *s, const argand_sense_options *given);
argand_status terms_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out);
/* Which samples of some rows are in use: those that the grid's k-space holds and that were measured. Rows
 * of a volume that is 0 everywhere keep their zeros. */
typedef struct recon_choice {
    const argand_sense *session;
    bool keeps_zeros;
} recon_choice;
recon_choice choice_of(const argand_sense *s, const recon_row *rows, int64_t count);
bool choice_takes(const recon_choice *c, const argand_acquisition *a, int64_t i);
/* The same for rows that need not be those of a volume; no file weights. */
argand_status samples_of_rows(const argand_sense *s, const recon_row *rows, int64_t count,
                              recon_samples *out);
void samples_free(recon_samples *out);
/* |y|^2 over the coils, for each sample; memory_free() it. */
argand_status samples_energies(const recon_samples *data, double **out);
void points_free(recon_points *p);
/* The points of a shot: views of those of all. */
argand_status points_of_shot(const recon_points *all, const recon_shot *shot, recon_points *out);
/* A part of k-space: |k - middle| <= reach on each axis of more than one pixel. */
typedef struct recon_region {
    double middle[3], reach[3];
} recon_region;
/* The samples of all lists in it, list after list, k counted from its middle, coils as they are. A shot's
 * `map` is its number in the first list, -1 in others; shots without a sample are left out. Measured phase
 * is that of the first list, and 0 in others. within.c */
argand_status samples_within(const argand_sense *small, const recon_region *region,
                             const recon_samples *const from[], int count, recon_samples *out);
/* What calibrates coil maps of a slice, where that is not the volume itself: a calibration scan with the
 * image data that are flagged as such; or another volume of the slice, all of it, where that has calibration
 * lines and this one has none. The list comes back empty where the volume's own samples are what there is.
 * For samples_of_rows; memory_free() it. */
argand_status calibrations_of(const argand_sense *s, const recon_volume *v, int slice, recon_row **rows,
                              int64_t *count);
/* Whether a scan of its own calibrates. */
bool calibrations_are_apart(const argand_sense *s);
/* The navigators of a volume, shot by shot (of any contrast, as navigators often are a second echo); their
 * `map` is that of their shot. For samples_of_rows; memory_free() it. */
argand_status navigators_of(const argand_sense *s, const recon_volume *v, recon_row **rows, int64_t *count);
/* matrices.c: given->whitener and given->compression, checked, as C64 {rows, channels} on the host's device.
 */
void matrix_title(map_title *title, const char *what, const char *file); /* "the noise", "n.npy" or NULL */
argand_status matrix_whitener(argand_sense *s, const argand_sense_options *given, argand_array **out);
argand_status matrix_compression(argand_sense *s, const argand_sense_options *given, argand_array **out);
/* Whitening and compression of the channels, as far as they are asked for. */
argand_status channels_find(argand_sense *s, const argand_sense_options *given);
/* Says where the scan measures too little to determine its image. */
argand_status enough_note(argand_sense *s);
/* Weights that are given, where density is DENSITY_FILE: checked and kept; as the volume's samples lie. */
argand_status weights_take(argand_sense *s, const argand_sense_options *given);
argand_status weights_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out);

/* How many planes across z a volume's samples lie in; 0: they lie in none. */
argand_status planes_of_volume(const argand_sense *s, const recon_volume *v, int64_t *planes);
/* A note of what the NUFFT makes of them. */
argand_status note_planes(argand_sense *s);

#endif
