/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the ISMRMRD reader share while they work on one file. The parts, in the order in which
 * they run: header (XML; nodes, limits, parallel, parameters), heads (which acquisitions are kept), samples
 * (data, trajectories as stored), trajectory (k and t), lists (what turned out to be of no use goes), arrays.
 */
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
    argand_acquisition *acquisitions; /* of all purposes, those of one purpose together */
    float *samples;                   /* data of all acquisitions, one after the other */
    float *coordinates;               /* kx, ky, kz, t of the first, then of the second, ... */
    argand_scan_array *arrays;
    argand_parameter *parameters;
    double *echo_times;
    char *protocol;
    char patient_position[8];
    text header, notes, system;
    char *block; /* where another process read the scan: all of it but this struct, mapped (scan_flat.h) */
    size_t block_bytes;
} scan_owner;

/* What an acquisition is for, by its flags. The kept ones come first. */
typedef enum scan_purpose {
    SCAN_IMAGE,
    SCAN_NOISE,
    SCAN_NAVIGATOR,
    SCAN_CALIBRATION,
    SCAN_CORRECTION,
    SCAN_OTHER,
    SCAN_PURPOSES
} scan_purpose;

/* One kept acquisition while its numbers are filled in. */
typedef struct scan_piece {
    hsize_t row;
    scan_purpose purpose;
    bool dropped; /* set aside, and turned out to be of no use */
    argand_acquisition *acquisition;
    float *data, *k[3], *t;
} scan_piece;

scan_purpose scan_purpose_of(const ismrmrd_head *head);

typedef struct scan_reader {
    const char *path;
    argand_scan_options options;
    hid_t file, group;
    hsize_t file_bytes; /* what the file can hold at most */
    hdf5_arena arena;
    scan_owner *owner;
    hsize_t row_count;
    ismrmrd_head *heads; /* of all rows */
    int64_t count;
    scan_piece *pieces;        /* of the kept ones, in the file's order */
    const scan_piece *first;   /* of the image data; of all where there are none */
    bool drops[SCAN_PURPOSES]; /* it is noted that some of a purpose are dropped */
    bool weights_noted;
    bool whole_arrays; /* the first dimension of an array counts no copies */
} scan_reader;

/* s: no echo comes later, and no two samples are further from each other. Times beyond are infinite soon. */
#define SCAN_LONGEST_TIME 3600.0

/* "path: acquisition 12": how messages name a row of the file, counted from 0. */
#define ROW_FORMAT "%s: acquisition %llu"
#define ROW(reader, piece) (reader)->path, (unsigned long long)(piece)->row

argand_status scan_check_options(const argand_scan_options *options);
/* The group of an open HDF5 file, in the order of the parts. */
argand_status scan_read_ismrmrd(scan_reader *reader);
argand_status scan_read_header(scan_reader *reader);
argand_status scan_read_text(scan_reader *reader, hid_t dataset); /* of a header: to owner->header */
argand_status scan_parse_header(scan_reader *reader);             /* of owner->header */
argand_status scan_read_heads(scan_reader *reader);
/* A head as streams have it, ARGAND_SCAN_MESSAGE_HEAD bytes. */
void scan_decode_head(ismrmrd_head *head, const void *bytes);
/* Which of reader->heads are kept, and memory for them. */
argand_status scan_choose_heads(scan_reader *reader);
/* What is stored for a kept one, as its head promises. */
argand_status scan_place_samples(scan_reader *reader, scan_piece *piece, const hvl_t *data,
                                 const hvl_t *trajectory);
/* k and t, lists, limits and hints, when all samples are placed. */
argand_status scan_finish(scan_reader *reader);
/* Names and texts of the scan, once all is read; the path is the file's. */
void scan_publish(scan_owner *owner, const char *path);
/* Whether the file can hold what the heads promise; then memory for the samples. */
argand_status scan_check_promises(scan_reader *reader);
argand_status scan_lay_out(scan_reader *reader);
argand_status scan_read_samples(scan_reader *reader);
argand_status scan_finish_trajectory(scan_reader *reader);
argand_status scan_read_arrays(scan_reader *reader);
void scan_finish_limits(scan_reader *reader);
/* Hints of sequences that the header itself does not say. */
void scan_note_parameters(scan_reader *reader);
/* An error about an acquisition that is set aside: it is dropped and noted, and the reading goes on. An error
 * about image data, or of another kind, is kept. */
argand_status scan_spare(scan_reader *reader, scan_piece *piece, argand_status status);
/* Leaves dropped acquisitions out of their lists, and publishes the lists. */
void scan_finish_lists(scan_reader *reader);

/* A sentence for people; the line's end is added. Controls in it, which come from the file, become '?'. */
void scan_note(scan_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The kept acquisition's public form and its stored head. */
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

/* Samples along the encoding's third axis: the bands of simultaneous slices are one. */
static inline int64_t scan_depth(const argand_encoding *e)
{
    return e->bands.count > e->matrix[2] ? e->bands.count : e->matrix[2];
}

static inline bool scan_is_cartesian(const argand_encoding *e)
{
    return !*e->trajectory || !strcmp(e->trajectory, "cartesian") || !strcmp(e->trajectory, "epi");
}

/* s; the echo of the acquisition's contrast where the header names one for each, else the first; 0 if absent
 */
double scan_echo_time(const argand_scan *scan, int contrast);

/* The XML text that describes a scan which is to be written. */
void scan_header_text(text *xml, const argand_scan *scan);

#endif
