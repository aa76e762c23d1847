/* SPDX-License-Identifier: BSD-3-Clause */
/* Between file.c (drafts), file_place.c (where they go), file_pipe.c (devices and FIFOs), file_stale.c (what
 * dead processes left) and file_set.c (several at once). */
#ifndef BASE_FILE_PLACE_H
#define BASE_FILE_PLACE_H

#include <sys/stat.h>
#include "base/files/file.h"

/* Looks at the target: follows links, refuses what cannot be replaced; *old is what is there, st_mode 0 for
 * nothing. */
argand_status place_find(file_draft *draft, const char *target, struct stat *old);
/* All of these drafts, complete, into their places, or none of them. Their temporary files are gone
 * afterwards. */
argand_status place_all(file_draft *const *drafts, int count);
/* file.c: flushed, on the disk, and closed; abandoned where that fails. */
argand_status file_complete(file_draft *draft);
/* "dir/" of a path, "./" of a bare name. */
void place_folder(char folder[4096], const char *path);
argand_status place_failed(const file_draft *draft, int number);
/* A complete draft's bytes to its device or FIFO. One that nobody reads is refused after a while. */
argand_status pipe_copy(const file_draft *draft);

/* When a process began, in the system's units; 0: not known. */
unsigned long long stale_start(long process);
/* Claims a draft for this process, as long as `kept` is open; removes drafts in its folder that no living
 * process has claimed. */
void stale_claim(file_draft *draft);
void stale_collect(const char *folder);

#endif
