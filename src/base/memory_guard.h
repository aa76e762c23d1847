/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: host memory with pages before and behind every block that end the program when touched. */
#ifndef BASE_MEMORY_GUARD_H
#define BASE_MEMORY_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Which end of a block lies right next to its page; the other end is at most a page away, and what is between
 * must stay as it is. */
typedef enum argand_test_guard {
    ARGAND_TEST_GUARD_NONE,
    ARGAND_TEST_GUARD_BEHIND, /* its last 64 bytes */
    ARGAND_TEST_GUARD_BEFORE
} argand_test_guard;

/* Of all blocks that are taken from now on. */
void argand_test_guard_memory(argand_test_guard where);
/* How many blocks were given back with bytes next to them that had changed. */
long argand_test_guard_damage(void);

/* Where; ARGAND_TEST_GUARD_NONE is 0. */
argand_test_guard memory_guards(void);

/* memory.c: a guarded block, aligned to 64 bytes and filled with a pattern, NULL where there is no memory;
 * gives one back, false where the block is none. */
void *memory_guarded(size_t bytes);
bool memory_guarded_free(void *block);

#endif
