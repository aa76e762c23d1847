/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the reconstructing commands (sense.c, pcsense.c, grid.c): options.c has their options, run.c
 * drives, output.h is what comes out. */
#ifndef CLI_SENSE_H
#define CLI_SENSE_H

#include "output/output.h"
#include "pack/pack.h"

/* What the options say, and what comes of them: `session` has all that a session is asked for but for what
 * depends on the files, which sense_open_session adds. */
typedef struct sense_settings {
    common_options common;
    argand_sense_options session;
    const char *command;  /* "sense" */
    const char *input;    /* the scan, or --kspace */
    pack_settings arrays; /* in place of a scan, where arrays.kspace is given */
    output_settings output;
    scan_reading reading;
    const char *field_map, *coil_maps, *mask, *phase_maps, *r2star, *phase_terms;
    const char *girf, *delay;  /* what the gradients did; gradients.h */
    double girf_step;          /* Hz */
    int noise_map;             /* pseudo-replicas; 0: none */
    const char *density_text;  /* a name, then in session.density, or a file, then in weights */
    const char *segments;      /* "auto" or a number, then in session.segments */
    const char *compress_text; /* a number, then in session.compress, or a matrix's file, then in: */
    const char *compression;
    const char *noise, *whitener, *covariance, *weights;
    const char *basis; /* temporal basis */
    int iterations;    /* 0: the adjoint; -1: as many as are good */
    int field_unit, precision;
    const char *regularize; /* as given; parsed into: */
    argand_regularizer regularizers[ARGAND_MAX_REGULARIZERS];
    option_sizes matrix;
    const char *image_fov;      /* then in session.field_of_view */
    const char *const *without; /* options that the command does not have, ended by NULL; NULL: all */
} sense_settings;

#define SENSE_DEFAULTS(name)                                   \
    {                                                          \
        .command = (name), .iterations = -1, .session.sets = 1 \
    }

enum { MOST_SENSE_OPTIONS = 96 };
/* Parses the shared options and the command's own. */
bool sense_parse(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                 char **argv, int *exit_code);
/* The same without names of files. */
bool sense_parse_options(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                         char **argv, int *exit_code);
/* Reconstructs and writes; the exit code. */
int sense_run(sense_settings *s);

#endif
