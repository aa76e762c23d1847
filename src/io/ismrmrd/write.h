/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IO_ISMRMRD_WRITE_H
#define IO_ISMRMRD_WRITE_H

#include <argand/io.h>
#include "io/ismrmrd/scan.h"

/* All acquisitions of a scan in the order in which they are written: what images need first, then they. */
typedef struct scan_written {
    const argand_acquisition *acquisition;
    uint64_t flag;    /* that says what it is for; 0 for image data */
    const char *name; /* of its list, for messages, */
    long long number; /* and its place there */
} scan_written;
int64_t scan_written_count(const argand_scan *scan);
scan_written scan_written_at(const argand_scan *scan, int64_t i);

/* Into the header that was made from a scan (xml), what the header that the scan came with says beyond it. */
argand_status scan_header_keep(text *xml, const argand_scan *scan);
argand_status scan_check_writable(const argand_scan *scan);
argand_status scan_write_acquisitions(hid_t group, const argand_scan *scan);
argand_status scan_write_arrays(hid_t group, const argand_scan *scan);
/* The XML header, as "xml". */
argand_status scan_write_header(hid_t group, const argand_scan *scan);
/* A file whose group "dataset" is filled by `fill`: whole or not at all. */
typedef argand_status (*scan_fill)(hid_t group, const void *what);
argand_status scan_write_file(const char *path, scan_fill fill, const void *what);

#endif
