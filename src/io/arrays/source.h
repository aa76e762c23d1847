/* SPDX-License-Identifier: BSD-3-Clause */
/* A file's bytes in order, unpacked on the way if they are gzipped (seen from the contents, not from the
 * name). */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
#include "base/status.h"

typedef struct source {
    int descriptor;   /* of a plain file */
    gzFile gz;        /* of a packed one */
    const char *path; /* the caller's; must outlive the source */
    bool packed;
    uint64_t size;     /* of the file on disk */
    uint64_t position; /* bytes read so far, unpacked */
} source;

/* may_be_packed false: the bytes are taken as they are, for formats whose numbers may begin like a gzip file.
 */
argand_status source_open(source *in, const char *path, bool may_be_packed);
void source_close(source *in); /* harmless on a zeroed source */
/* Reads up to count bytes; fewer only at the end of the file. */
argand_status source_read(source *in, void *bytes, size_t count, size_t *got);
/* The same, but fewer is a failure that names `what`. */
argand_status source_need(source *in, void *bytes, size_t count, const char *what);
argand_status source_skip(source *in, uint64_t count, const char *what);
/* The most that can be left: exact for plain files, an upper bound for packed ones. What a header promises is
 * held against it before memory is asked for. */
uint64_t source_left(const source *in);
/* After the last byte wanted: reads on to the checksum of a packed file, so that damage is noticed. */
argand_status source_verify(source *in);

#endif
