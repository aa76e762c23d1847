/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the ISMRMRD reader share while they work on one file. The parts, in the order in which
 * they run: header (XML), heads (which acquisitions are kept), samples (data, trajectories as stored),
 * trajectory (k and t), arrays. */
#ifndef IO_ISMRMRD_SCAN_H
#define IO_ISMRMRD_SCAN_H

#include <argand/io.h>
#include "base/text.h"
#include "io/hdf5_session.h"
#include "io/ismrmrd_types.h"

/* The scan and everything that it points to. */
typedef struct scan_owner {
    argand_scan scan; /* first: argand_scan_destroy casts back */
    argand_encoding *encodings;
    argand_acquisition *acquisitions;
    float *samples;     /* data of all acquisitions, one after the other */
    float *coordinates; /* kx, ky, kz, t of the first, then of the second, ... */
    argand_scan_array *arrays;
    double *echo_times;
    text header, notes, system;
} scan_owner;

/* One kept acquisition while its numbers are filled in. */
typedef struct scan_piece {
    hsize_t row;
    float *data, *k[3], *t;
} scan_piece;

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
    scan_piece *pieces; /* of the kept ones */
    bool says_cycles;   /* the header names the unit of k */
    bool weights_noted;
} scan_reader;

/* "path: acquisition 12": how messages name a row of the file, counted from 0. */
#define ROW_FORMAT "%s: acquisition %llu"
#define ROW(reader, piece) (reader)->path, (unsigned long long)(piece)->row

argand_status scan_read_header(scan_reader *reader);
argand_status scan_parse_header(scan_reader *reader); /* of owner->header */
argand_status scan_read_heads(scan_reader *reader);
argand_status scan_read_samples(scan_reader *reader);
argand_status scan_finish_trajectory(scan_reader *reader);
argand_status scan_read_arrays(scan_reader *reader);

/* A sentence for people; the line's end is added. */
#define scan_note(reader, ...)                          \
    do {                                                \
        text_add(&(reader)->owner->notes, __VA_ARGS__); \
        text_add(&(reader)->owner->notes, "\n");        \
    } while (0)

/* The kept acquisition's public form and its stored head. */
static inline argand_acquisition *scan_acquisition(const scan_reader *reader, const scan_piece *piece)
{
    return &reader->owner->acquisitions[piece - reader->pieces];
}

static inline const ismrmrd_head *scan_head(const scan_reader *reader, const scan_piece *piece)
{
    return &reader->heads[piece->row];
}

static inline bool scan_is_reversed(const ismrmrd_head *head)
{
    return head->flags & ismrmrd_flag(ISMRMRD_REVERSE);
}

/* s; the echo of the acquisition's contrast where the header names one for each, else the first; 0 if absent
 */
double scan_echo_time(const argand_scan *scan, int contrast);

/* The XML text that describes a scan which is to be written. */
void scan_header_text(text *xml, const argand_scan *scan);

#endif
