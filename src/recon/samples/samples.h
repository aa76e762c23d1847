/* SPDX-License-Identifier: BSD-3-Clause */
/* From acquisitions to samples: the acquisitions and positions of each volume, whitening and compression
 * of channels. */
#ifndef RECON_SAMPLES_H
#define RECON_SAMPLES_H

#include "recon/maps/maps.h"

argand_status volumes_find(argand_sense *s);
/* times.c: finds the counter of the scan that counts the rows of the basis, for coefficients; returns a
 * counter by the number that it has there; writes the basis at the times of a volume's samples: complex
 * {samples, basis_count} in the session's precision. */
argand_status times_find(argand_sense *s);
uint16_t *times_counter(argand_counters *counters, int number);
argand_status times_factors(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                            argand_array **factors);
/* Lists the rows of a volume at times at which the first column of the basis is at least half its largest;
 * free the list with memory_free(). times_even_out divides their samples by it, so that most tissue has the
 * same signal at all times. */
argand_status times_strong(const argand_sense *s, const recon_volume *v, recon_row **rows, int64_t *count);
argand_status times_even_out(const argand_sense *s, const recon_row *rows, int64_t count,
                             recon_samples *data);
/* Decides if calibration acquisitions are also lines of the image; adds a note once the volumes are known. */
argand_status embedded_find(argand_sense *s);
void embedded_note(argand_sense *s);
/* zeros.c: finds the zeros that count as not measured, from the first `rows` rows of the session.
 * zeros_hold returns true if a sample is such a zero, zeros_are_all if the rows contain only zeros. */
void zeros_find(argand_sense *s, int64_t rows);
bool zeros_hold(const argand_sense *s, const argand_acquisition *a, int64_t i);
bool zeros_are_all(const recon_row *rows, int64_t count);
argand_status shots_find(argand_sense *s);
/* gradients.c: reads the gradient response from the options, and replaces the session's scan by a copy
 * with the positions that the gradients played. gradients_forget frees the copy. */
argand_status gradients_take(argand_sense *s, const argand_sense_options *given);
argand_status gradients_play(argand_sense *s, const argand_scan *scan);
void gradients_forget(recon_played *played);
void gradients_free(argand_sense *s);
argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out);
/* terms.c: checks given measured phase, and applies it to a volume's samples; its linear part is added to
 * k. */
argand_status terms_take(argand_sense *s, const argand_sense_options *given);
argand_status terms_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out);
/* concomitant.c: decides if concomitant fields are modelled; adds their terms to those of all samples of a
 * volume {samples, ARGAND_PHASE_TERMS}; adds their affine part at the image's centre to the linear terms of
 * one sample. */
argand_status concomitant_take(argand_sense *s, const argand_sense_options *given);
argand_status concomitant_add(const argand_sense *s, const recon_volume *v, double *c);
void concomitant_affine(double *c, int64_t stride, const double centre_mm[3], double sign);
/* Selects the samples of some rows that are in use: measured ones inside the grid's k-space. If all
 * samples of a volume are 0, its zeros are kept. */
typedef struct recon_choice {
    const argand_sense *session;
    bool keeps_zeros;
} recon_choice;
recon_choice choice_of(const argand_sense *s, const recon_row *rows, int64_t count);
bool choice_takes(const recon_choice *c, const argand_acquisition *a, int64_t i);
/* Returns k along an axis of an acquisition's sample, in the grid's cycles. */
double samples_position(const argand_sense *s, const argand_acquisition *a, int axis, int64_t i);
/* order.c: finds the units and leaders of the volumes. */
argand_status order_find(argand_sense *s);
/* Loads the samples of any rows, which need not be a volume; without the file's weights. */
argand_status samples_of_rows(const argand_sense *s, const recon_row *rows, int64_t count,
                              recon_samples *out);
void samples_free(recon_samples *out);
/* Computes |y|^2 summed over the coils, for each sample. Free the result with memory_free(). */
argand_status samples_energies(const recon_samples *data, double **out);
void points_free(recon_points *p);
/* Makes views of a shot's part of the points. */
argand_status points_of_shot(const recon_points *all, const recon_shot *shot, recon_points *out);
/* A region of k-space: |k - middle| <= reach on each axis of more than one pixel. */
typedef struct recon_region {
    double middle[3], reach[3];
} recon_region;
/* Selects the samples of all lists inside the region, list after list, with k relative to the region's
 * middle and unchanged coils. A shot's `map` is its index in the first list, and -1 in others; shots
 * without samples are left out. Measured phase is kept for the first list, and 0 for others. within.c */
argand_status samples_within(const argand_sense *small, const recon_region *region,
                             const recon_samples *const from[], int count, recon_samples *out);
/* Lists the acquisitions that calibrate a slice if the volume itself does not: a calibration scan with the
 * image data flagged for calibration; another volume of the slice that has calibration lines, if this one has
 * none; or the repetitions whose lines complete each other. The list is empty if the volume's own samples
 * calibrate. Load it by samples_of_rows; free it with memory_free(). */
argand_status calibrations_of(const argand_sense *s, const recon_volume *v, int slice, recon_row **rows,
                              int64_t *count);
/* Finds which acquisitions of the calibration scan serve the session's encoding, after embedded_find(). */
void calibrations_find(argand_sense *s);
void calibrations_note(argand_sense *s);
/* Returns true if the scan has a separate calibration scan. */
bool calibrations_are_apart(const argand_sense *s);
/* Lists the navigators of a volume, shot by shot. They may have any contrast, as navigators are often a
 * second echo. Their `map` is that of their shot. Load the list by samples_of_rows; free it with
 * memory_free(). */
argand_status navigators_of(const argand_sense *s, const recon_volume *v, recon_row **rows, int64_t *count);
/* matrices.c: check given->whitener and given->compression and convert them to C64 {rows, channels} on the
 * host's device. */
void matrix_title(map_title *title, const char *what, const char *file); /* "the noise", "n.npy" or NULL */
argand_status matrix_whitener(argand_sense *s, const argand_sense_options *given, argand_array **out);
argand_status matrix_compression(argand_sense *s, const argand_sense_options *given, argand_array **out);
/* Finds the matrix that whitens and compresses the channels, as the options request. */
argand_status channels_find(argand_sense *s, const argand_sense_options *given);
/* Adds a note if the scan has too few samples to determine its image. */
argand_status enough_note(argand_sense *s);
/* Notes lines that a volume lacks, compared with other volumes and with the header. */
argand_status missing_note(argand_sense *s);
/* weights.c: with DENSITY_FILE, check and keep given weights, and put them in the order of a volume's
 * samples. */
argand_status weights_take(argand_sense *s, const argand_sense_options *given);
argand_status weights_of_volume(const argand_sense *s, const recon_volume *v, recon_samples *out);

/* Counts the planes across z that contain all samples of a volume; 0: the samples do not lie in planes. */
argand_status planes_of_volume(const argand_sense *s, const recon_volume *v, int64_t *planes);
/* Notes how the NUFFT treats such planes. */
argand_status note_planes(argand_sense *s);

#endif
