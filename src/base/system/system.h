/* SPDX-License-Identifier: BSD-3-Clause */
/* What Linux and macOS do by different calls: linux.c and macos.c. Everything else in this library is POSIX,
 * or reads files of /proc and /sys, which are missing on macOS and then count as unknown. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Returns an environment variable, or NULL in a program that has its file's rights (setuid). */
const char *system_trusted_variable(const char *name);
/* Exchanges the names of two files. Returns 0, or -1 with errno: EINVAL, ENOSYS or ENOTSUP if the file
 * system cannot. */
int system_exchange_names(const char *a, const char *b);
/* Returns the number of processors on which this process may run. */
int system_processors(void);
/* Writes the processor's name. Leaves the text as it is if the name is unknown. */
void system_processor_name(char *name, size_t size);
/* Returns the bytes of memory, and those that are not in use, with swap space; 0: unknown. root: prefix of
 * all paths, "" except in tests. */
void system_memory(double *all, double *left, const char *root);

/* ---- processes that read untrusted files ---- */

/* Makes a pipe whose ends close in programs that are started. Returns 0, or -1 with errno. */
int system_pipe(int ends[2]);
/* Returns a descriptor of memory that processes share and that can be sealed; -1: there is none. */
int system_shared_memory(const char *name);
/* Makes shared memory unchangeable. Returns false if this fails. */
bool system_seal(int memory);
/* Reserves pages of shared memory, so that later writes cannot fail. Returns false if they do not fit. */
bool system_reserve(int memory, size_t bytes);
/* Closes the descriptors from `first` to `last`. */
void system_close_range(int first, int last);
/* Asks for this process to be killed when its parent's thread ends. Without effect on macOS. */
void system_end_with_parent(void);

#endif
