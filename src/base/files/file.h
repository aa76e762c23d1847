/* SPDX-License-Identifier: BSD-3-Clause */
/* Files written whole or not at all: to a temporary name next to the target, which takes the target's place
 * when complete. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/status.h"

typedef struct file_draft {
    char target[4096];    /* what was asked for, with symbolic links followed */
    char temporary[4128]; /* "" when there is none */
    FILE *stream;
    int kept;      /* the descriptor whose lock says that the draft is somebody's; 0: none */
    int slot;      /* among those that a signal handler can remove, from 1 on; 0: none */
    bool to_place; /* the target is a device or a FIFO: the bytes are copied to it */
} file_draft;

/* Makes the temporary file, empty, next to the target; its name keeps the target's ending, its permissions
 * are those of the file that it will replace. Symbolic links are followed. Refused: folders, sockets, links
 * to nothing, files that nobody may write. Devices and FIFOs are written to at the end. */
argand_status file_begin(file_draft *draft, const char *target);
/* Flushes, checks and puts it into its place, or keeps it for file_set_commit where a set is open in this
 * thread. On failure the temporary file is removed, and what was there before is there still. */
argand_status file_finish(file_draft *draft);
/* The same at once, whatever is open: for files that are nobody's result (wisdom). */
argand_status file_finish_alone(file_draft *draft);
/* Removes the temporary; harmless after finish or on a zeroed draft. */
void file_abandon(file_draft *draft);

argand_status file_write(file_draft *draft, const void *bytes, size_t count);
/* The failure, by the error's number or, where that is 0, by a text; and what to do. */
argand_status file_failed(const file_draft *draft, int number, const char *otherwise);
/* The whole file into memory (NUL added after its end); fails over `limit` bytes. */
argand_status file_read(const char *path, size_t limit, char **bytes, size_t *count);
bool file_ends_with(const char *path, const char *ending);

/* Sets: files of this thread that take their places together or not at all. They may be nested: the outermost
 * one counts. */
void file_set_begin(void);
argand_status file_set_commit(void);
void file_set_abandon(void);
/* Removes all drafts of the process. Only what a signal handler may do, for one that ends the process. */
void file_remove_all(void);

#endif
