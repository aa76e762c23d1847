/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand calibrate`, one file each, and the functions that they share. */
#ifndef CLI_CALIBRATE_H
#define CLI_CALIBRATE_H

#include "common/command.h"
#include "files/sidecar.h"

#define PART(function, name, summary) int function(int argc, char **argv);
#include "calibrate/kinds.inc"
#undef PART

/* Selects acquisitions of a scan. */
typedef struct calibrate_choice {
    scan_reading reading;
    int encoding, slice; /* slice -1: all */
    option_sizes matrix; /* of the result; the encoded matrix if not given */
} calibrate_choice;

#define CHOICE_OPTIONS(c)                                                                         \
    int_option("encoding", 0, &(c).encoding, "N", 0, 64, "number of the encoding space, from 0"), \
        int_option("slice", 0, &(c).slice, "N", -1, 65535,                                        \
                   "process this slice alone, from 0; -1 processes all"),                         \
        sizes_option("matrix", 'x', &(c).matrix, "N[xN[xN]]",                                     \
                     "size of the maps in pixels. Default: the encoded matrix")

/* The samples of one slice and contrast: y {points, coils}, k[axis] {points}. */
typedef struct calibrate_samples {
    int64_t n[3], points, coils;
    int rank;
    argand_array *k[3], *y;
    argand_geometry geometry;
} calibrate_samples;

/* Opens a scan and prints its notes. */
argand_status calibrate_open(argand_scan **scan, const char *path, const scan_reading *reading, report *out);
/* Reads an array. Refuses it if its sidecar gives another kind, or if all numbers are 0. */
argand_status calibrate_read(argand_array **array, const char *path, sidecar_kind kind,
                             argand_device *device);
/* A command after its options are parsed. */
typedef struct calibrate_job {
    const char *name; /* "calibrate noise" */
    const common_options *common;
    const char *input;  /* error messages name it */
    const char *output; /* named in the result; NULL: the work reports its own result */
    bool any_device;    /* false: the work needs memory that the host can access */
    void *settings;
    argand_status (*work)(void *settings, argand_device *device, report *out);
} calibrate_job;

/* Opens the device, does the work and reports how it ended. Returns the exit code of the command. */
int calibrate_run(const calibrate_job *job);
/* Return the highest slice, or contrast, of an encoding's images plus one. */
int calibrate_slices(const argand_scan *scan, int encoding);
int calibrate_contrasts(const argand_scan *scan, int encoding);
/* Takes the samples of the first volume of a slice and contrast. With `calibrations`, takes calibration
 * acquisitions if the scan has any. */
argand_status calibrate_take(calibrate_samples *s, const argand_scan *scan, const calibrate_choice *choice,
                             int slice, int contrast, bool calibrations, argand_device *device);
void calibrate_samples_free(calibrate_samples *s);
/* Computes coil images {nx, ny[, nz], coils} by the density-weighted adjoint. */
argand_status calibrate_images(argand_array *images, const calibrate_samples *s, argand_device *device);

/* Writes an array in the format of its name's ending (NIfTI with the geometry) and its sidecar; prints a
 * note. */
argand_status calibrate_write(const char *path, const argand_array *array, const argand_geometry *geometry,
                              const sidecar *what, report *out);
/* Returns the sidecar of a file of this kind that was made from `source`. */
sidecar calibrate_facts(sidecar_kind kind, const char *units, const char *axes, const char *source);
/* Creates a view of one element of the last axis, without that axis. */
argand_status calibrate_last(argand_array **view, const argand_array *array, int64_t index);

#endif
