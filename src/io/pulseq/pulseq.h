/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the parts of the reader of Pulseq sequences share. The parts in the order in which they run: text
 * (sections of the file as tables), shapes (unpacked), early (tables before version 1.4), waves (gradients as
 * polygons, centres of RF pulses), sequence (k-space). The format:
 * https://pulseq.github.io/specification.pdf, versions 1.2 to 1.5. */
#ifndef IO_PULSEQ_PULSEQ_H
#define IO_PULSEQ_PULSEQ_H

#include <argand/pack.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/status.h"
#include "base/text.h"

enum { PULSEQ_COLUMNS = 11 };

/* Labels that are counters. Columns of a label's row: identifier, value, one of these. */
enum {
    PULSEQ_LIN,
    PULSEQ_PAR,
    PULSEQ_AVG,
    PULSEQ_SLC,
    PULSEQ_ECO,
    PULSEQ_PHS,
    PULSEQ_REP,
    PULSEQ_SET,
    PULSEQ_SEG,
    PULSEQ_LABELS
};

/* A line of a table: its numbers, the first of which is the identifier. */
typedef struct pulseq_row {
    double v[PULSEQ_COLUMNS];
    int count;
    char use; /* letter at the end of a line of [RF]; 0: none */
} pulseq_row;

typedef struct pulseq_table {
    pulseq_row *rows; /* sorted by identifier, but [BLOCKS] */
    int64_t count, reserved;
} pulseq_table;

typedef struct pulseq_shape {
    int64_t id, count;
    double *values;
} pulseq_shape;

/* A gradient or its times as a polygon from the beginning of its block. */
typedef struct pulseq_wave {
    int64_t count;
    double *t, *v, *moment; /* s; Hz/m; integral up to the point, 1/m */
    double last;            /* value at the end, if it ends there at a block's end */
} pulseq_wave;

/* An RF pulse: the time of its centre from the beginning of its block, and what it does to k. */
typedef struct pulseq_pulse {
    double centre;
    char use; /* 'e' excitation, 'r' refocusing, others change nothing */
} pulseq_pulse;

typedef struct pulseq_file {
    const char *path;
    char *chars;
    int major, minor;
    double gradient_raster, pulse_raster, block_raster;
    double field_of_view[3]; /* m; 0: not stated */
    pulseq_table blocks, pulses, gradients, trapezoids, readouts;
    pulseq_table delays;                            /* before version 1.4 */
    pulseq_table extensions;                        /* identifier, type, row of its table, next one or 0 */
    pulseq_table rotations;                         /* identifier, quaternion: real part first */
    pulseq_table set, increased;                    /* labels */
    double rotation_type, set_type, increased_type; /* numbers of these extensions; 0: none */
    pulseq_shape *shapes;
    int64_t shape_count, shape_reserved, shape_values;
    pulseq_wave *waves;    /* of gradients, then of trapezoids */
    pulseq_pulse *centres; /* of pulses */
} pulseq_file;

argand_status pulseq_read_text(pulseq_file *file);
/* Puts the tables of a file before version 1.4 into that form. */
argand_status pulseq_from_early(pulseq_file *file);
/* Finds a row by its identifier; -1: there is none. */
int64_t pulseq_find(const pulseq_table *table, double id);

/* Appends a shape of `samples` values from its `count` packed ones. */
argand_status pulseq_add_shape(pulseq_file *file, int64_t id, int64_t samples, const double *packed,
                               int64_t count);
/* Finds a shape; an error names what refers to it. */
argand_status pulseq_find_shape(const pulseq_shape **shape, const pulseq_file *file, double id,
                                const char *what);

/* Makes the polygon of a gradient at its first use; `before` is the value at the end of the block before. */
argand_status pulseq_make_wave(pulseq_wave **wave, pulseq_file *file, double id, double before);
/* Returns the integral of a gradient from the beginning of its block to t. */
double pulseq_moment(const pulseq_wave *wave, double t);
argand_status pulseq_make_pulses(pulseq_file *file);

/* What the extensions of a block do. */
typedef struct pulseq_effects {
    bool rotated;
    double rotation[3][3];
    double label[PULSEQ_LABELS]; /* from the blocks before, changed */
} pulseq_effects;
/* Applies the list of extensions that begins with `id`; 0: none. */
argand_status pulseq_extend(pulseq_effects *to, const pulseq_file *file, double id);

#endif
