/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the reconstructing commands (sense.c, pcsense.c): sense_options.c has their options,
 * sense_run.c drives, sense_maps.c reads maps, sense_output.c writes what came out. */
#ifndef CLI_SENSE_H
#define CLI_SENSE_H

#include "command.h"
#include "report.h"

enum { PART_MAGNITUDE, PART_PHASE, PART_COMPLEX };

typedef struct sense_settings {
    common_options common;
    const char *command; /* "sense" */
    const char *input, *output;
    const char *field_map, *coil_maps, *mask, *phase_maps;
    scan_reading reading;
    int transform, field_unit, iterations, precision, density, part, encoding;
    int phases; /* argand_phases, where phase_maps does not say another */
    double tolerance, nufft_tolerance, regularize, partial_fourier, calibration;
    option_sizes matrix;
} sense_settings;

#define SENSE_DEFAULTS(name)                \
    {                                       \
        .command = (name), .iterations = 10 \
    }

enum { MOST_SENSE_OPTIONS = 64 };
/* Parses the shared options and the command's own. */
bool sense_parse(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                 char **argv, int *exit_code);
/* Reconstructs and writes; the exit code. */
int sense_run(sense_settings *s);

/* A map by name: "none", ":NAME" or "NAME" of the scan (then *array stays NULL and *name is set),
 * "FILE.h5:NAME", or a file. */
argand_status sense_map_find(const char *from, argand_device *device, const argand_scan *scan,
                             argand_array **array, const char **name);

/* One line of the convergence table. */
typedef struct sense_step {
    int volume;
    argand_progress progress;
} sense_step;

/* One file to write: the volumes that share all counters but slice and repetition. */
typedef struct sense_image {
    argand_counters counters;
    int64_t slices, repetitions;
    argand_array *array; /* {nx, ny, nz or slices, repetitions} */
    argand_geometry geometry;
    double centre_first[3], centre_last[3]; /* of the lowest and highest slice */
    char path[4096];
} sense_image;

typedef struct sense_results {
    argand_device *device;
    argand_sense *session;
    int image_count;
    sense_image *images;
    sense_step *steps;
    int64_t step_count;
    double seconds;
    char (*written)[4200]; /* the files that are complete; removed if a later one fails */
    int written_count;
} sense_results;

/* Files and arrays for all volumes of the session, with NULL arrays where memory fails. */
argand_status sense_results_create(sense_results *r, const sense_settings *settings, argand_device *device,
                                   argand_sense *session);
/* Puts a reconstructed complex volume {nx, ny, nz} into its place. */
argand_status sense_results_put(sense_results *r, const sense_settings *settings, int volume,
                                const argand_array *image);
/* Writes everything, or nothing: where one file fails, those before it are removed. Notes name the files. */
argand_status sense_results_write(sense_results *r, const sense_settings *settings, const argand_scan *scan,
                                  report *out);
void sense_results_free(sense_results *r);

#endif
