/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written completely or not at all: to a temporary name next to the target, which is
 * renamed to the target when complete. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/status.h"

typedef struct file_draft {
    char target[4096];    /* the requested name, with symbolic links followed */
    char temporary[4128]; /* "": no temporary file */
    FILE *stream;
    int kept;       /* descriptor whose lock marks the draft as in use; 0: none */
    int slot;       /* slot for the signal handler, from 1 on; 0: none */
    bool to_place;  /* the target is a device or a FIFO: the bytes are copied to it */
    bool is_folder; /* file_begin_folder */
} file_draft;

/* Creates an empty temporary file next to the target, with the target's ending and the permissions of the
 * file to be replaced. Follows symbolic links. Refuses folders, sockets, dangling links, and files without
 * write permission. Devices and FIFOs are written when the draft is finished. */
argand_status file_begin(file_draft *draft, const char *target);
/* Flushes and checks the draft and renames it to the target; if this thread has an open set, keeps the
 * draft for file_set_commit. On failure the temporary file is removed and the old target remains. */
argand_status file_finish(file_draft *draft);
/* The same, immediately, regardless of open sets: for files that are not results (wisdom). */
argand_status file_finish_alone(file_draft *draft);
/* Removes the temporary file; does nothing after finish or for a zeroed draft. */
void file_abandon(file_draft *draft);

argand_status file_write(file_draft *draft, const void *bytes, size_t count);
/* Sets the error by its number or, if that is 0, by a text, with a remedy. */
argand_status file_failed(const file_draft *draft, int number, const char *otherwise);
/* Creates a hidden folder next to the target; file_finish gives it the target's name. Refuses a target that
 * holds files, and every other kind of file. file_check_folder looks for this in advance. */
argand_status file_begin_folder(file_draft *draft, const char *target);
argand_status file_check_folder(const char *target);
/* Writes a file of this name into the folder, from pieces of bytes one after the other. */
argand_status file_add(file_draft *folder, const char *name, const void *const *pieces, const size_t *sizes,
                       int count);
/* Reads a whole file into memory and adds a NUL; fails if the file has more than `limit` bytes. */
argand_status file_read(const char *path, size_t limit, char **bytes, size_t *count);
bool file_ends_with(const char *path, const char *ending);

/* Locks an open folder until it is closed, against other processes that lock the folder. Returns false if
 * another process keeps the lock for half a minute (it may be stopped). File systems without locks: true. */
bool file_lock_folder(int folder);

/* Sets: files of this thread that replace their targets together or not at all. Sets may be nested; the
 * outermost one decides. */
void file_set_begin(void);
argand_status file_set_commit(void);
void file_set_abandon(void);
/* Removes all drafts of the process. Async-signal-safe, for handlers that end the process. */
void file_remove_all(void);

#endif
