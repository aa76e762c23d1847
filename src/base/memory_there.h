/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory there is: what a plan wants is compared with it before any of it is taken, as systems hand
 * out more than they have, and end the program when it is written to. */
#ifndef BASE_MEMORY_THERE_H
#define BASE_MEMORY_THERE_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

/* Bytes for one process: in all, and what is left of them. Of the machine's memory and swap space, the
 * control groups' limits (memory.max, memory.limit_in_bytes) and the process's own (setrlimit) the least.
 * UINT64_MAX where nothing is known. */
typedef struct memory_amounts {
    uint64_t all, left;
} memory_amounts;

/* `root` stands before all paths: "" but in tests. */
memory_amounts memory_there(const char *root);

/* ARGAND_MEMORY where so many bytes are more than there are in all, or than are left. Sums of several blocks
 * are checked before the first of them is taken. Small ones pass: an allocation that fails costs nothing.
 * what: whose memory it is, for the message; NULL: not said. */
argand_status memory_check_all(size_t bytes, const char *what);
argand_status memory_check_left(size_t bytes, const char *what);

/* For tests: so many bytes are there; 0: what there is. */
void argand_test_memory_there(uint64_t bytes);

#endif
