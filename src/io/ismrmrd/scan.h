/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the parts of the ISMRMRD reader share while they read one file. The parts in the order in
 * which they run: header (XML; nodes, limits, parallel, parameters), heads (which acquisitions are kept),
 * samples (data, trajectories as stored), trajectory (k and t), lists (drops unusable acquisitions),
 * arrays. */
#ifndef IO_ISMRMRD_SCAN_H
#define IO_ISMRMRD_SCAN_H

#include <argand/io.h>
#include <string.h>
#include "base/text.h"
#include "io/hdf5/session.h"
#include "io/ismrmrd/types.h"

/* The scan and everything that it points to. */
typedef struct scan_owner {
    argand_scan scan; /* first: argand_scan_destroy casts back */
    argand_encoding *encodings;
    argand_acquisition *acquisitions; /* all purposes; those of one purpose are contiguous */
    float *samples;                   /* data of all acquisitions, one after the other */
    float *coordinates;               /* kx, ky, kz, t of the first, then of the second, ... */
    argand_scan_array *arrays;
    argand_parameter *parameters;
    double *echo_times;
    char *protocol;
    char patient_position[8];
    text header, notes, system;
    char *block; /* set if another process read the scan: everything but this struct, mapped (scan_flat.h) */
    size_t block_bytes;
} scan_owner;

/* Purpose of an acquisition, from its flags. The kept ones come first. */
typedef enum scan_purpose {
    SCAN_IMAGE,
    SCAN_NOISE,
    SCAN_NAVIGATOR,
    SCAN_CALIBRATION,
    SCAN_CORRECTION,
    SCAN_OTHER,
    SCAN_PURPOSES
} scan_purpose;

/* A kept acquisition while it is read. */
typedef struct scan_piece {
    hsize_t row;
    scan_purpose purpose;
    bool dropped; /* set aside, and found unusable */
    argand_acquisition *acquisition;
    float *data, *k[3], *t;
} scan_piece;

scan_purpose scan_purpose_of(const ismrmrd_head *head);

typedef struct scan_reader {
    const char *path;
    argand_scan_options options;
    hid_t file, group;
    hsize_t file_bytes; /* upper bound of what the file can hold */
    hdf5_arena arena;
    scan_owner *owner;
    hsize_t row_count;
    ismrmrd_head *heads; /* heads of all rows */
    int64_t count;
    scan_piece *pieces;        /* kept acquisitions in the order of the file */
    const scan_piece *first;   /* first image acquisition; first of all if there are no images */
    bool drops[SCAN_PURPOSES]; /* a note on dropped acquisitions of this purpose was written */
    bool weights_noted;
    bool whole_arrays; /* the first dimension of an array does not count copies */
    bool is_pulseq;    /* a scanner's interpreter of Pulseq played the sequence */
} scan_reader;

/* s: upper bound of echo times and of the time between two samples; larger times would soon overflow. */
#define SCAN_LONGEST_TIME 3600.0

/* "path: acquisition 12": name of a row of the file in messages, counted from 0. */
#define ROW_FORMAT "%s: acquisition %llu"
#define ROW(reader, piece) (reader)->path, (unsigned long long)(piece)->row

argand_status scan_check_options(const argand_scan_options *options);
/* Read the group of an open HDF5 file, in the order of the parts. */
argand_status scan_read_ismrmrd(scan_reader *reader);
argand_status scan_refuse_images(const scan_reader *reader); /* a file has no acquisitions */
argand_status scan_read_header(scan_reader *reader);
argand_status scan_read_text(scan_reader *reader, hid_t dataset); /* reads a header into owner->header */
argand_status scan_parse_header(scan_reader *reader);             /* parses owner->header */
argand_status scan_read_heads(scan_reader *reader);
/* Decodes a head of a stream, ARGAND_SCAN_MESSAGE_HEAD bytes. */
void scan_decode_head(ismrmrd_head *head, const void *bytes);
/* Chooses which of reader->heads are kept, and allocates memory for them. */
argand_status scan_choose_heads(scan_reader *reader);
/* Stores samples and trajectory of a kept acquisition after comparing them with its head. */
argand_status scan_place_samples(scan_reader *reader, scan_piece *piece, const hvl_t *data,
                                 const hvl_t *trajectory);
/* True if a vendor, at the beginning of a system's name, is Siemens. */
bool scan_is_siemens(const char *system);
/* Adapts a scan of a Siemens scanner before k is computed: a volume of one partition becomes a slice, centres
 * of k-space are those of the acquisitions, and directions those of images. */
void scan_adapt_siemens(scan_reader *reader);
/* Computes k and t, lists, limits and hints after all samples are stored. */
argand_status scan_finish(scan_reader *reader);
/* Sets names and texts of the scan at the end; path: of the file. */
void scan_publish(scan_owner *owner, const char *path);
/* Checks that the file can hold what the heads claim; then allocates memory for the samples. */
argand_status scan_check_promises(scan_reader *reader);
argand_status scan_lay_out(scan_reader *reader);
argand_status scan_read_samples(scan_reader *reader);
argand_status scan_finish_trajectory(scan_reader *reader);
argand_status scan_read_arrays(scan_reader *reader);
/* Finishes an array after reading: shapes vectors of image size, transposes y fastest to x fastest on
 * request, and reports elements that are not finite. */
argand_status scan_arrange_array(scan_reader *reader, argand_scan_array *array);
/* Sets kz of simultaneous slices by the option `blips`, or notes that nothing tells it. */
void scan_place_blips(scan_reader *reader);
void scan_finish_limits(scan_reader *reader);
/* Counts steps from 0 that the file has with a sign in its counters of 16 bits (philips_to_ismrmrd). */
void scan_unwrap_steps(scan_reader *reader);
/* Notes hints of the sequence that the header does not state. */
void scan_note_parameters(scan_reader *reader);
/* Handles an error of an acquisition. If the acquisition is set aside, it is dropped with a note and
 * reading goes on; an error of image data, or of another kind, is returned. */
argand_status scan_spare(scan_reader *reader, scan_piece *piece, argand_status status);
/* Removes dropped acquisitions from their lists, and publishes the lists. */
void scan_finish_lists(scan_reader *reader);

/* Adds a note for the user and a line end. Control characters, which come from the file, become '?'. */
void scan_note(scan_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return the public form of a kept acquisition, and its stored head. */
static inline argand_acquisition *scan_acquisition(const scan_reader *reader, const scan_piece *piece)
{
    (void)reader;
    return piece->acquisition;
}

static inline const ismrmrd_head *scan_head(const scan_reader *reader, const scan_piece *piece)
{
    return &reader->heads[piece->row];
}

static inline bool scan_is_reversed(const ismrmrd_head *head)
{
    return head->flags & ismrmrd_flag(ISMRMRD_REVERSE);
}

/* Returns the number of samples along the third axis of the encoding; bands of simultaneous slices form
 * such an axis. */
static inline int64_t scan_depth(const argand_encoding *e)
{
    return e->bands.count > e->matrix[2] ? e->bands.count : e->matrix[2];
}

static inline bool scan_is_cartesian(const argand_encoding *e)
{
    return !*e->trajectory || !strcmp(e->trajectory, "cartesian") || !strcmp(e->trajectory, "epi");
}

/* Returns the echo time in s: that of the contrast if the header has one for each, otherwise the first; 0:
 * none */
double scan_echo_time(const argand_scan *scan, int contrast);

/* Writes the XML header of a scan. */
void scan_header_text(text *xml, const argand_scan *scan);

/* True if the header gives a trapezoid with ramps for lines of this many samples (readout.c). */
bool scan_has_ramps(const argand_readout *readout, const ismrmrd_head *head);
/* Returns kx of a sample of a forward line, counted as acquired, in cycles per field of view: the integral
 * of the trapezoid, so that the line covers the encoded matrix. */
double scan_ramp_position(const argand_readout *readout, int64_t sample, int64_t matrix);
/* Returns the time from the centre of k-space to the middle of this sample. */
double scan_ramp_time(const argand_readout *readout, double sample);
/* Adds to the times of EPI lines without stored times the distance from the line with ky = 0 (readout.c). */
void scan_time_trains(scan_reader *reader);

#endif
