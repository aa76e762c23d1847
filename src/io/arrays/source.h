/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file in order, unpacked if they are gzipped (recognised by contents, not by name). */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
#include "base/status.h"

typedef struct source {
    int descriptor;   /* of a file that is not gzipped */
    gzFile gz;        /* of a gzipped file */
    const char *path; /* borrowed; must outlive the source */
    bool packed;
    uint64_t size;     /* size of the file on disk */
    uint64_t position; /* unpacked bytes read so far */
} source;

/* Opens a file. may_be_packed false: never unpack, for formats whose numbers may look like the start of a
 * gzip file. */
argand_status source_open(source *in, const char *path, bool may_be_packed);
void source_close(source *in); /* does nothing for a zeroed source */
/* Reads up to count bytes; fewer only at the end of the file. */
argand_status source_read(source *in, void *bytes, size_t count, size_t *got);
/* Reads count bytes; fewer are an error that names `what`. */
argand_status source_need(source *in, void *bytes, size_t count, const char *what);
argand_status source_skip(source *in, uint64_t count, const char *what);
/* Returns an upper bound of the remaining bytes, exact for plain files. Claims of headers are compared
 * with this before memory is allocated. */
uint64_t source_left(const source *in);
/* Reads on to the checksum of a gzipped file after the last needed byte, so that damage is detected. */
argand_status source_verify(source *in);

#endif
