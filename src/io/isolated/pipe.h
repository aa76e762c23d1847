/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of bytes from one process to another through a pipe: where a limit on the size of files is set,
 * shared memory without a name falls under it, too. It costs a copy more. */
#ifndef IO_SCAN_PIPE_H
#define IO_SCAN_PIPE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this process may write files of a limited size only. */
bool scan_pipe_is_needed(void);
/* Exactly `count` bytes; false where the other end is closed, or `stop` (may be NULL), asked after signals,
 * says so. */
bool scan_pipe_write(int to, const void *bytes, size_t count);
bool scan_pipe_read(int from, void *bytes, size_t count, bool (*stop)(void));
/* Writes the block's size, then the block. */
void scan_pipe_send(int to, const char *block, size_t bytes);
/* Reads such a block into memory of its own, to be unmapped; NULL where the sender ended before, a size above
 * `most` was announced, memory is short, or `stop` (may be NULL), asked after signals, said so. */
char *scan_pipe_receive(size_t *bytes, int from, size_t most, bool (*stop)(void));

#endif
