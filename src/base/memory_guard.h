/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: host memory with inaccessible pages before and behind every block. */
#ifndef BASE_MEMORY_GUARD_H
#define BASE_MEMORY_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* The end of a block that is directly at an inaccessible page. The other end is at most a page away; the
 * bytes between must not change. */
typedef enum argand_test_guard {
    ARGAND_TEST_GUARD_NONE,
    ARGAND_TEST_GUARD_BEHIND, /* its last 64 bytes */
    ARGAND_TEST_GUARD_BEFORE
} argand_test_guard;

/* Applies to all blocks that are allocated from now on. */
void argand_test_guard_memory(argand_test_guard where);
/* Returns the number of freed blocks whose neighbouring bytes had changed. */
long argand_test_guard_damage(void);

/* Returns the present setting; ARGAND_TEST_GUARD_NONE is 0. */
argand_test_guard memory_guards(void);

/* memory.c: allocates a guarded block, 64-byte aligned, filled with a pattern (NULL: no memory); frees one
 * (false: not a guarded block). */
void *memory_guarded(size_t bytes);
bool memory_guarded_free(void *block);

#endif
