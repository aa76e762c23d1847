/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends a block of bytes from one process to another through a pipe, at the cost of one more copy. It
 * replaces shared memory if the size of files is limited, because the limit applies to anonymous shared
 * memory too. */
#ifndef IO_SCAN_PIPE_H
#define IO_SCAN_PIPE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the size of this process's files is limited. */
bool scan_pipe_is_needed(void);
/* Write or read exactly `count` bytes. They return false if the other end is closed. scan_pipe_read also
 * returns false if `stop` (may be NULL), called after each signal, returns true. */
bool scan_pipe_write(int to, const void *bytes, size_t count);
bool scan_pipe_read(int from, void *bytes, size_t count, bool (*stop)(void));
/* Writes the block's size, then the block. */
void scan_pipe_send(int to, const char *block, size_t bytes);
/* Reads such a block into newly mapped memory, which the caller unmaps. Returns NULL if the sender ended
 * early, the size exceeds `most`, memory is short, or `stop` (may be NULL), called after each signal,
 * returned true. */
char *scan_pipe_receive(size_t *bytes, int from, size_t most, bool (*stop)(void));

#endif
