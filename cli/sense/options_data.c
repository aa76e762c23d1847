/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of the reconstructing commands that describe the data: maps, channels, the grid, and what
 * happens during the readout. */
#include "sense/sense.h"

#include <string.h>

/* Adds the options of maps of field and coils. */
static int map_options(option *table, sense_settings *s)
{
    const option options[] = {
        group_option("Maps, channels, the grid"),
        text_option("field-map", 'f', &s->field_map, "MAP",
                    "field map; none switches field correction off. Default: FieldMap of the scan"),
        choice_option(
            "field-unit", 0, &s->field_unit, "UNIT", "auto|rad/s|hz|tesla|ppm",
            "unit of the field map in a file; auto reads the unit from the sidecar (.json), otherwise rad/s. "
            "ppm is of the scan's main field"),
        flag_option("keep-field-zeros", 0, &s->session.keep_field_zeros,
                    "keep zeros in the field map as measured values. By default, regions of exact zeros "
                    "count as unmeasured and are filled smoothly"),
        text_option("coil-maps", 'c', &s->coil_maps, "MAP",
                    "coil sensitivity maps; none estimates them. Default: SENSEMap of the scan, otherwise an "
                    "estimate"),
        choice_option(
            "coils", 0, ENUM(s->session.coils), "NAME", choices_of(CHOICE_COILS),
            "method that estimates coil maps. auto: ESPIRiT if its maps explain the data, otherwise the best "
            "of all methods. joint: maps and an image together, for scans with too few calibration samples"),
        int_option(
            "sets", 0, &s->session.sets, "N", 1, 16,
            "number of sets of coil maps, given or by ESPIRiT, for objects larger than the field of view. "
            "Each set has an image; the output is the root of the sum of squares of these images"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of channels, and of the samples that coil maps come from. */
static int channel_options(option *table, sense_settings *s)
{
    const option options[] = {
        text_option(
            "compress", 0, &s->compress_text, "N|FILE",
            "compress the channels to N virtual coils, or by the matrix {virtual coils, channels} of a file"),
        flag_option("whiten", 0, &s->session.whiten,
                    "whiten the channels by the noise acquisitions of the scan; fail if there are too few. "
                    "Default: whiten if there are enough"),
        flag_option("no-whiten", 0, &s->session.as_received,
                    "do not whiten, even if the scan has noise acquisitions"),
        text_option("noise", 0, &s->noise, "FILE",
                    "whiten the channels by the noise samples of FILE: .npy or .cfl {samples, channels}, or "
                    "the noise acquisitions of another scan (.h5)"),
        text_option("whitener", 0, &s->whitener, "FILE",
                    "whiten the channels by the matrix {channels, channels} of FILE, as argand calibrate "
                    "noise writes it"),
        text_option("noise-covariance", 0, &s->covariance, "FILE",
                    "whiten the channels by the noise covariance matrix {channels, channels} of FILE"),
        double_option("calibration", 0, &s->session.calibration, "R", 0, 1,
                      "estimate coil maps from the samples within R times the radius of k-space, fully "
                      "sampled or not; 0 uses the fully sampled centre"),
        text_option("calibration-scan", 0, &s->calibration_scan, "FILE",
                    "estimate coil maps from the images of another scan (.h5) with the same coils and "
                    "orientation, such as the single-band reference of simultaneous slices. Slices are "
                    "matched by their places"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of the grid of the image. */
static int grid_options(option *table, sense_settings *s)
{
    const option options[] = {
        text_option("mask", 'm', &s->mask, "MAP", "reconstruct only the pixels where MAP is not 0"),
        sizes_option("matrix", 'x', &s->matrix, "N[xN[xN]]",
                     "image size in pixels; one number is for all axes. Default: the encoded matrix"),
        text_option(
            "image-fov", 0, &s->image_fov, "MM[xMM[xMM]]",
            "field of view of the image in mm; one number is for x and y. The pixel size stays the same. A "
            "larger field of view shows objects that reach beyond the scan's. Default: the scan's"),
        int_option("encoding", 0, &s->session.encoding, "N", 0, 64,
                   "number of the encoding space to reconstruct, from 0"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of effects during the readout, and of maps of the noise. */
static int readout_options(option *table, sense_settings *s)
{
    const option options[] = {
        group_option("EPI, decay, measured phase, gradients, noise"),
        choice_option(
            "epi", 0, &s->epi, "NAME", "auto|off|ramps|ghosts",
            "regrid ramp samples by the header's trapezoid (ramps), and remove echo shift and phase "
            "of reversed lines (ghosts) by the scan's reference lines, or by the entropy of the image if "
            "there are none. auto does what the scan allows"),
        text_option("r2star", 0, &s->r2star, "MAP",
                    "R2* map in 1/s, to model the decay of the signal during the readout"),
        text_option("phase-terms", 0, &s->phase_terms, "FILE",
                    "phase coefficients [term, shot, sample], sample fastest, measured by a field camera, in "
                    "addition to trajectory and field map. 1, 4, 9, 16 or 20 terms: spherical harmonics of "
                    "order 0 to 3, then concomitant fields; in rad, rad/m, rad/m^2, rad/m^3"),
        text_option(
            "concomitant", 0, &s->concomitant, "TESLA|auto",
            "model the phase of concomitant fields (Maxwell terms) of the readout's gradients at a main "
            "field of TESLA; auto: the field strength of the scan's header"),
        int_option("noise-map", 0, &s->noise_map, "N", 0, 100000,
                   "also write OUT_noise: the standard deviation of each pixel, from N pseudo-replicas. 100 "
                   "replicas give it to about 7 %; 0 writes none"),
        flag_option("gfactor-map", 0, &s->gfactor_map,
                    "also write OUT_gfactor: the g-factor of each pixel by formula, for regularly "
                    "undersampled Cartesian scans"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

/* Adds the options of positions in k-space, and of motion. */
static int position_options(option *table, sense_settings *s)
{
    const option options[] = {
        text_option(
            "sequence", 0, &s->sequence, "FILE.seq",
            "take the positions and times of samples from a Pulseq sequence: acquisition n of the "
            "scan, whatever its flags, is ADC event n; noise acquisitions are skipped if the sequence "
            "has as many events without them"),
        text_option("girf", 0, &s->girf, "FILE",
                    "correct the trajectory by the gradient impulse response function of FILE: complex "
                    "[axis, frequency], 0 Hz in the middle; axes x, y, z, in .npy z, y, x"),
        double_option("girf-step", 0, &s->girf_step, "HZ", 0, 1e6,
                      "frequency spacing of the --girf samples, in Hz"),
        text_option("delay", 0, &s->delay, "US[,US[,US]]",
                    "gradient delays of x, y and z in microseconds; the trajectory is shifted by them"),
        text_option(
            "motion", 0, &s->motion, "FILE|auto",
            "take rigid motion out of the scan: a row for each shot, segment or repetition, tx ty tz in "
            "mm and rx ry rz in degrees, as text (.tsv) or array (.npy). auto estimates it from the "
            "samples and writes OUT-motion.tsv"),
        choice_option("motion-by", 0, &s->motion_by, "COUNTER", "auto|shot|repetition|segment",
                      "what the rows of --motion count. auto compares their number; with --motion auto, the "
                      "first of repetition, segment, shot of which there are several"),
        int_option("motion-group", 0, &s->motion_group, "N", 0, 65535,
                   "let N consecutive shots or segments share a position of --motion auto; 0 takes 1, or as "
                   "many as leave 32 positions"),
    };
    memcpy(table, options, sizeof options);
    return (int)(sizeof options / sizeof *options);
}

int sense_data_options(option *table, sense_settings *s)
{
    int count = map_options(table, s);
    count += channel_options(table + count, s);
    count += grid_options(table + count, s);
    count += readout_options(table + count, s);
    return count + position_options(table + count, s);
}
