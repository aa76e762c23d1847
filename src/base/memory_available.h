/* SPDX-License-Identifier: BSD-3-Clause */
/* The amount of available memory. Plans compare their needs with it before they allocate, because systems
 * grant more memory than they have, and end the program when it is written to. */
#ifndef BASE_MEMORY_AVAILABLE_H
#define BASE_MEMORY_AVAILABLE_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

/* Bytes for one process, total and free: the smallest of machine memory plus swap space, limits of control
 * groups (memory.max, memory.limit_in_bytes) and limits of the process (setrlimit). UINT64_MAX: unknown. */
typedef struct memory_amounts {
    uint64_t all, left;
} memory_amounts;

/* root: prefix of all paths, "" except in tests. */
memory_amounts memory_available(const char *root);

/* Return ARGAND_MEMORY if `bytes` exceeds the total, or the free memory. Check the sum of several blocks
 * before the first is allocated. Small requests pass: a failing allocation costs nothing. what: owner of
 * the memory, for the message; NULL: omitted. */
argand_status memory_check_all(size_t bytes, const char *what);
argand_status memory_check_left(size_t bytes, const char *what);

/* For tests: pretends that this many bytes exist; 0 switches this off. */
void argand_test_memory_available(uint64_t bytes);

#endif
