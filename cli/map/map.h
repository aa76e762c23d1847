/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of `argand map`, one file each, and the functions that they share. */
#ifndef CLI_MAP_H
#define CLI_MAP_H

#include "calibrate/calibrate.h"

#define PART(function, name, summary) int function(int argc, char **argv);
#include "map/kinds.inc"
#undef PART

enum { MAP_MOST_ECHOES = 64 };

/* Options and arguments of kinds that fit echoes. */
typedef struct map_settings {
    common_options common;
    const char *input, *output, *echo_times, *mask;
    double threshold, noise;
    bool keep_coils; /* keep the coil maps of a scan, for received channels: do not whiten */
} map_settings;

#define MAP_OPTIONS(s)                                                                                 \
    text_option("echo-times", 0, &(s).echo_times, "T,T...",                                            \
                "echo times in seconds. Default: EchoTime of the sidecars"),                           \
        text_option("mask", 'm', &(s).mask, "FILE",                                                    \
                    "mask of the pixels to fit. Default: pixels with signal"),                         \
        double_option("threshold", 0, &(s).threshold, "T", 1e-6, 0.99,                                 \
                      "fit pixels above this fraction of the largest signal, if --mask is not given"), \
        double_option(                                                                                 \
            "noise", 0, &(s).noise, "SIGMA", -1, 1e30,                                                 \
            "standard deviation of the noise in the real and in the imaginary part of an image"        \
            "; 0 estimates it from the residual of the fit; -1 fits magnitudes without a noise floor")

/* A reconstructed volume of a scan. */
typedef struct map_volume {
    argand_counters counters;
    int image;                 /* the echo */
    int64_t slice, repetition; /* its place in the image */
    argand_geometry place;
    argand_array *coil_maps; /* {nx, ny, nz, coils} of the received channels; NULL: not kept */
} map_volume;

/* Images of several echoes. */
typedef struct map_echoes {
    argand_array *images; /* {nx, ny, ..., echoes} */
    argand_array *mask;   /* NULL: none was given */
    int count;
    double times[MAP_MOST_ECHOES];
    double field_strength; /* T; 0: unknown */
    double frequency;      /* of water, Hz; 0: unknown */
    argand_geometry place;
    char ending[16]; /* of the files */
    /* For a scan; otherwise NULL and 0: */
    argand_scan *file;
    argand_epi *epi;
    const argand_scan *scan; /* `file` after the correction of EPI */
    map_volume *volumes;
    int volume_count;
} map_echoes;

/* Reads echoes: a scan, a file whose last axis they are, or files of single echoes NAME_contrast-1, ..., as
 * sense writes them. Echo times are those of the option, the header or the sidecars. Free with map_free, also
 * after a failure. */
argand_status map_read(map_echoes *e, const map_settings *s, argand_device *device, report *out);
void map_free(map_echoes *e);
/* Opens the scan and reconstructs its echoes. */
argand_status map_read_scan(map_echoes *e, const map_settings *s, argand_device *device, report *out);
/* Copies the image of an echo to its place among `count`. `path` is named if it does not fit the others. */
argand_status map_put(map_echoes *e, const argand_array *image, int echo, int count, const char *path,
                      argand_device *device);
/* Create a real, or complex, array with an element for each pixel. */
argand_status map_create(argand_array **map, const map_echoes *e, argand_device *device);
argand_status map_create_complex(argand_array **map, const map_echoes *e, argand_device *device);
/* Returns the options of the library. */
argand_echo_options map_options(const map_echoes *e, const map_settings *s);

/* A map to write: OUT_label.nii.gz. */
typedef struct map_output {
    const char *label, *kind, *units;
    argand_array *array;
} map_output;
/* Refuses an output of no known format, before anything is computed. */
argand_status map_check_output(const map_settings *s);
/* Writes maps with their sidecars, in the format of OUT's ending, else in that of the input. */
argand_status map_write(const map_output *maps, int count, const map_settings *s, const map_echoes *e,
                        report *out);

#endif
