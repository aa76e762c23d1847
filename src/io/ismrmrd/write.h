/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IO_ISMRMRD_WRITE_H
#define IO_ISMRMRD_WRITE_H

#include <argand/io.h>
#include "io/ismrmrd/scan.h"

/* One acquisition in the order of writing: calibration and the like first, image data last. */
typedef struct scan_written {
    const argand_acquisition *acquisition;
    uint64_t flag;    /* flag of its purpose; 0 for image data */
    const char *name; /* name of its list, for messages */
    long long number; /* index in this list */
} scan_written;
int64_t scan_written_count(const argand_scan *scan);
scan_written scan_written_at(const argand_scan *scan, int64_t i);

/* Makes the row of an acquisition, the one of this number in the file. buffer: scan_written_floats, which the
 * row refers to, as it does to the acquisition. */
void scan_written_row(ismrmrd_row *row, float *buffer, const scan_written *w, int64_t number);
size_t scan_written_floats(const argand_acquisition *a);

/* Adds the text of an element, without what XML cannot hold. */
void scan_header_content(text *xml, const char *content);
/* Adds to the new header (xml) the elements of the scan's original header that Argand does not represent. */
argand_status scan_header_keep(text *xml, const argand_scan *scan);
argand_status scan_check_writable(const argand_scan *scan);
argand_status scan_write_acquisitions(hid_t group, const argand_scan *scan);
argand_status scan_write_arrays(hid_t group, const argand_scan *scan);
/* Makes the XML header of a scan. */
argand_status scan_make_header(text *xml, const argand_scan *scan);
/* Writes the XML header as the dataset "xml". */
argand_status scan_write_header(hid_t group, const argand_scan *scan);
/* Writes a file whose group "dataset" is filled by `fill`. The file appears only once it is complete. */
typedef argand_status (*scan_fill)(hid_t group, const void *what);
argand_status scan_write_file(const char *path, scan_fill fill, const void *what);

#endif
