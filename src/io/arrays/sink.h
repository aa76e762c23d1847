/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a file front to back, gzipped or not, under a temporary name that is renamed on success. */
#ifndef IO_SINK_H
#define IO_SINK_H

#include <argand/array.h>
#include <zlib.h>
#include "base/files/file.h"

typedef struct sink {
    file_draft draft;
    gzFile packed; /* NULL: not gzipped */
} sink;

argand_status sink_open(sink *out, const char *path, bool packed);
argand_status sink_write(sink *out, const void *bytes, size_t count);
/* Writes `count` floats or doubles as floats. */
argand_status sink_write_floats(sink *out, const void *numbers, bool doubles, size_t count);
argand_status sink_finish(sink *out);
void sink_abandon(sink *out); /* does nothing after finish or for a zeroed sink */

#endif
