/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for work that repeats and must not wait for the allocator: a thread that uses a pool takes from it
 * what it freed before. Blocks are ordinary ones, so that other threads may free them and the pool's thread
 * may free theirs. */
#ifndef BASE_MEMORY_POOL_H
#define BASE_MEMORY_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

typedef struct memory_pool memory_pool;

argand_status memory_pool_create(memory_pool **pool);
/* Lets a pool keep at most so many bytes; larger blocks, and those beyond, are freed. Without it there is no
 * limit. */
void memory_pool_limit(memory_pool *pool, size_t bytes);
/* Frees the pool and all that it keeps. No thread may use it. */
void memory_pool_destroy(memory_pool *pool);
/* From now on the calling thread uses this pool, or none (NULL). Returns the pool that it used. One thread at
 * a time may use a pool. */
memory_pool *memory_pool_use(memory_pool *pool);

/* memory.c: takes a kept block whose address is a multiple of `unit` (NULL: none, or no pool), or keeps a
 * block that is freed (false: no pool). */
void *memory_pool_take(size_t bytes, size_t unit);
bool memory_pool_give(void *block);

#endif
