/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of drafts, each of which uses those before it: file_target.c (targets), file_stale.c
 * (drafts of dead processes), file_temporary.c (temporary names), file_pipe.c (devices and FIFOs),
 * file_place.c (replaces targets), file.c (drafts), file_folder.c (folders) and file_set.c (several
 * files). */
#ifndef BASE_FILE_PLACE_H
#define BASE_FILE_PLACE_H

#include <sys/stat.h>
#include "base/files/file.h"

/* Examines the target: follows links and refuses what cannot be replaced. *old: the existing file; st_mode
 * 0: none. */
argand_status place_find(file_draft *draft, const char *target, struct stat *old);
/* Renames complete drafts to their targets, all of them or none. The temporary files are removed in any
 * case. */
argand_status place_all(file_draft *const *drafts, int count);
/* file_temporary.c: chooses the folder of a draft: that of the target, or TMPDIR if the target is a
 * device. */
void file_temporary_folder(char folder[4096], const file_draft *draft);
/* Opens a temporary file of a new name, or makes a temporary folder. Returns its descriptor; -1
 * after a failure, with errno. */
int file_make_temporary(file_draft *draft, mode_t mode);
/* Removes a folder and the files in it, as far as this is possible. */
void file_remove_folder(int parent, const char *name);
/* file.c: flushes, syncs and closes a draft; abandons it on failure. */
argand_status file_complete(file_draft *draft);
/* Returns the folder "dir/" of a path, "./" for a bare name. */
void place_folder(char folder[4096], const char *path);
argand_status place_failed(const file_draft *draft, int number);
/* Copies a complete draft to its device or FIFO; fails if nobody reads for some time. */
argand_status pipe_copy(const file_draft *draft);

/* Returns the start time of a process in the system's units; 0: unknown. */
unsigned long long stale_start(long process);
/* stale_claim marks a draft as used by this process as long as `kept` is open. stale_collect removes the
 * drafts of a folder that no living process uses. */
void stale_claim(file_draft *draft, int descriptor);
void stale_collect(const char *folder);

#endif
