/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the reconstructing commands (sense.c, pcsense.c, grid.c): options.c and options_data.c have the
 * options, run.c reconstructs, output.h writes. */
#ifndef CLI_SENSE_H
#define CLI_SENSE_H

#include "kept/kept.h"
#include "output/output.h"
#include "pack/pack.h"

/* Parsed options. `session` holds all session options that do not depend on files; sense_open_session adds
 * the others. */
typedef struct sense_settings {
    common_options common;
    argand_sense_options session;
    const char *command;  /* "sense" */
    const char *input;    /* the scan, or the file of --kspace */
    pack_settings arrays; /* own arrays instead of a scan, if arrays.kspace is set */
    output_settings output;
    kept_settings kept;
    uint64_t study_options; /* hash of the options, if this is one of a folder of scans; otherwise 0 */
    mrd_sink *stream;       /* prepared for output.path if that is a pipe; otherwise NULL */
    scan_reading reading;
    const char *field_map, *coil_maps, *mask, *phase_maps, *r2star, *phase_terms;
    const char *concomitant;  /* main field in T, or auto */
    const char *sequence;     /* Pulseq file with the scan's trajectory */
    const char *girf, *delay; /* gradient response and delays; see gradients.h */
    double girf_step;         /* Hz */
    const char *motion;       /* table of rigid motion, or "auto"; see motion.h */
    int motion_by;            /* 0: auto, otherwise argand_motion_counter + 1 */
    int motion_group;         /* consecutive shots with one position; 0: auto */
    int epi;                  /* argand_epi_choice */
    bool fills;               /* missing lines are computed before the reconstruction, by fill.h: */
    option_sizes kernel;      /* samples, 0: the default */
    double kernel_regularization;
    int noise_map;            /* number of pseudo-replicas; 0: no noise map */
    bool gfactor_map;         /* see gfactor.h */
    const char *density_text; /* a name, parsed into session.density, or a file, parsed into weights */
    const char *segments;     /* "auto" or a number, parsed into session.segments */
    const char
        *compress_text; /* a number, parsed into session.compress, or the file of a matrix, parsed into: */
    const char *compression;
    const char *calibration_scan;
    const char *noise, *whitener, *covariance, *weights;
    const char *basis;    /* temporal basis */
    const char *subspace; /* the same, for coefficients */
    int iterations;       /* 0: the adjoint; -1: chosen automatically */
    int field_unit, precision;
    const char *regularize; /* as given on the command line; parsed into: */
    argand_regularizer regularizers[ARGAND_MAX_REGULARIZERS];
    const char *denoiser; /* an ONNX file; the last of the regularizers */
    argand_denoiser_options denoise;
    argand_denoiser *opened_denoiser; /* until the program ends; NULL: none */
    option_sizes matrix;
    const char *image_fov;      /* parsed into session.field_of_view */
    const char *const *without; /* options that the command lacks, ended by NULL; NULL: none */
} sense_settings;

#define SENSE_DEFAULTS(name)                                                          \
    {                                                                                 \
        .command = (name), .iterations = -1, .session.sets = 1, .reading.pipes = true \
    }

enum { MOST_SENSE_OPTIONS = 128 };

/* Treats an enumeration as the index of a choice: the choices are the names of its values. */
#define ENUM(member) ((int *)&(member))

/* Writes the options that describe the data (options_data.c) into the table. Returns their number. */
int sense_data_options(option *table, sense_settings *s);
/* Parses the shared options and the command's own. */
bool sense_parse(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                 char **argv, int *exit_code);
/* Does the same without names of files. */
bool sense_parse_options(command_line *line, sense_settings *s, const option *own, int own_count, int argc,
                         char **argv, int *exit_code);
/* Parses the values that options.c leaves as texts. Returns false if one is wrong, which has been printed. */
bool sense_read_values(sense_settings *s);
/* Parses --regularize and --image-fov again, after their texts have changed. Returns false if one is wrong,
 * which has been printed. */
bool sense_read_texts(sense_settings *s);
/* Reconstructs a scan, or each scan of a folder (study.h), and writes. Returns the exit code. */
int sense_start(sense_settings *s);
int sense_run(sense_settings *s);
/* Reconstructs one of several scans. The settings may be changed by what the scan holds. */
argand_status sense_reconstruct(sense_settings *s, report *out);

#endif
