/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the parts of the reader of ParaVision scans (Bruker) share. The parts in the order in which they
 * run: jcamp (values of the texts `acqp` and `method`), layout (how many lines of which size the data have),
 * epi (lines of a shot), heads (counters and places of the lines), header (ISMRMRD's header), read (samples).
 * What the parameters mean is described by brukerapi (https://github.com/isi-nmr/brukerapi-python) and
 * MRIReco.jl. */
#ifndef IO_BRUKER_BRUKER_H
#define IO_BRUKER_BRUKER_H

#include "io/scans/scans.h"

enum { BRUKER_TEXT = 256, BRUKER_PATH = 4096 };

/* A file of parameters (JCAMP-DX). */
typedef struct bruker_values {
    char *chars;
    size_t length;
} bruker_values;

typedef enum bruker_number { BRUKER_INT16, BRUKER_INT32, BRUKER_FLOAT32, BRUKER_FLOAT64 } bruker_number;

typedef struct bruker_scan {
    const char *path;         /* as the caller named it */
    char folder[BRUKER_PATH]; /* of acqp and method */
    char data[BRUKER_PATH];   /* fid or rawdata.job0 */
    bool job;                 /* rawdata.job0 */
    int descriptor;
    uint64_t size, block; /* bytes of the data; of a line of all channels, with its padding */
    bruker_values acqp, method;
    bruker_number number;
    bool big_endian;
    int dimensions; /* 2 or 3 */
    /* Lines in the order of the data, the fastest first: those of an echo train, objects (slices with their
     * echoes), echo trains, partitions, repetitions. */
    int64_t samples, channels, factor, objects, trains, partitions, repetitions, count;
    int64_t slices, echoes;
    bool listed; /* steps1 and steps2 list each line of a scan: elliptical scanning, for example */
    double *steps1, *steps2; /* from the centre; NULL: as counted */
    int64_t step1_count, step2_count;
    int64_t matrix[3];
    double view[3];    /* mm */
    int64_t centre[3]; /* sample, step and partition of the centre of k-space */
    /* Offsets of the image along its phase-encoding axes in mm, of y for each object or slice. ParaVision
     * demodulates readouts by their offset when it measures, and shifts along the other axes when it
     * reconstructs; so does read.c. None for scans with a trajectory. */
    double *phase_offsets, partition_offset;
    double turned[3]; /* -1: the gradients of readout, phase encoding or slices run against their direction */
    bool to_and_fro;  /* every second echo was read backwards */
    int64_t phase_offset_count;
    float *trajectory;                /* {dimensions, samples, lines}, +-0.5 at the edge; NULL: Cartesian */
    int64_t trajectory_lines, points; /* points: samples of a line that the trajectory covers */
    /* A block of the data has the samples of a shot for each channel: those before the first line, then the
     * lines. Scans other than EPI have one line a shot. */
    int64_t shot_samples, shot_first, shot_lines;
    float *readout; /* EPI: position of each sample of a forward line, cycles per field of view; else NULL */
    int64_t reach;  /* matrix that the lines of EPI fill */
    int64_t readout_centre;                /* sample of EPI's lines */
    int64_t discard_before, discard_after; /* samples of a line that are left out */
    int64_t loaded;                        /* block that is in memory, from 1; 0: none */
} bruker_scan;

argand_status bruker_read_values(bruker_values *values, const char *folder, const char *name);
/* Returns true and the text of a parameter, without brackets. */
bool bruker_text(char chars[BRUKER_TEXT], const bruker_values *values, const char *name);
/* Reads at most `most` numbers of a parameter; returns how many there are, 0: none. */
int64_t bruker_numbers(double *numbers, int64_t most, const bruker_values *values, const char *name);
double bruker_value(const bruker_values *values, const char *name, double otherwise);

/* Returns a value that is listed by objects or by slices; 0 if there is none. */
double bruker_of_object(const double *values, int64_t count, int64_t object, const bruker_scan *scan);

/* EPI alone: sets shot_samples to discard_after, and samples to those of a line. */
argand_status bruker_find_epi(scan_reader *reader, bruker_scan *scan);
argand_status bruker_find_layout(scan_reader *reader, bruker_scan *scan);
argand_status bruker_make_heads(scan_reader *reader, const bruker_scan *scan);
argand_status bruker_make_header(scan_reader *reader, const bruker_scan *scan);

#endif
