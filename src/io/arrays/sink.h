/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a file in one go, gzipped or not, to a temporary name that becomes the real one when all is well.
 */
#ifndef IO_SINK_H
#define IO_SINK_H

#include <argand/array.h>
#include <zlib.h>
#include "base/files/file.h"

typedef struct sink {
    file_draft draft;
    gzFile packed; /* NULL: plain */
} sink;

argand_status sink_open(sink *out, const char *path, bool packed);
argand_status sink_write(sink *out, const void *bytes, size_t count);
/* `count` floats or doubles, all written as float. */
argand_status sink_write_floats(sink *out, const void *numbers, bool doubles, size_t count);
argand_status sink_finish(sink *out);
void sink_abandon(sink *out); /* harmless after finish or on a zeroed sink */

#endif
