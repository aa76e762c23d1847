/* SPDX-License-Identifier: BSD-3-Clause */
/* Files written whole or not at all: to a temporary name beside the target, renamed when complete. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/status.h"

typedef struct file_draft {
    char target[4096], temporary[4128];
    FILE *stream; /* NULL where the writer opens `temporary` by name itself (HDF5, gzip) */
} file_draft;

/* Makes the temporary file, empty, beside the target; its name keeps the target's ending. */
argand_status file_begin(file_draft *draft, const char *target);
/* Flushes, checks and renames; on failure the temporary is removed. */
argand_status file_finish(file_draft *draft);
/* Removes the temporary; harmless after finish or on a zeroed draft. */
void file_abandon(file_draft *draft);

argand_status file_write(file_draft *draft, const void *bytes, size_t count);
/* The whole file into memory (NUL added after its end); fails over `limit` bytes. */
argand_status file_read(const char *path, size_t limit, char **bytes, size_t *count);
bool file_ends_with(const char *path, const char *ending);

#endif
