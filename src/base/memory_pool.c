/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps freed blocks in lists by the power of two of their size. A kept block holds its own entry. */
#include "base/memory_pool.h"

#include <stdint.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif

enum { SIZES = 64 };

typedef struct kept {
    struct kept *next;
    size_t bytes;
} kept;

struct memory_pool {
    kept *lists[SIZES];
    size_t kept, most; /* bytes */
};

static _Thread_local memory_pool *used;

static int list_of(size_t bytes)
{
    int list = 0;
    while (bytes >>= 1) list++;
    return list;
}

argand_status memory_pool_create(memory_pool **pool)
{
    *pool = calloc(1, sizeof **pool);
    CHECK(*pool, ARGAND_MEMORY, "no memory for a pool");
    (*pool)->most = SIZE_MAX;
    return ARGAND_OK;
}

void memory_pool_limit(memory_pool *pool, size_t bytes)
{
    pool->most = bytes;
}

void memory_pool_destroy(memory_pool *pool)
{
    for (int i = 0; i < SIZES && pool; i++)
        for (kept *k = pool->lists[i], *next; k; k = next) {
            next = k->next;
            free(k);
        }
    free(pool);
}

memory_pool *memory_pool_use(memory_pool *pool)
{
    memory_pool *before = used;
    used = pool;
    return before;
}

void *memory_pool_take(size_t bytes, size_t unit)
{
    if (!used) return NULL;
    /* memory.c rounds up, so that small blocks have 64 bytes or more */
    for (int list = list_of(bytes / 64 * 64 + 64), end = list + 2; list < end && list < SIZES; list++)
        for (kept **k = &used->lists[list], *found; (found = *k); k = &found->next) {
            /* a block may be a quarter larger, as sizes of one kind of work differ little */
            if (found->bytes < bytes || found->bytes / 4 * 3 > bytes + 256) continue;
            if ((uintptr_t)found % unit) continue;
            *k = found->next;
            used->kept -= found->bytes;
            return found;
        }
    return NULL;
}

bool memory_pool_give(void *block)
{
    if (!used) return false;
    kept *k = block;
    const size_t bytes = malloc_usable_size(block);
    if (bytes > used->most - used->kept) return false;
    used->kept += bytes;
    kept **list = &used->lists[list_of(bytes)];
    *k = (kept){*list, bytes};
    *list = k;
    return true;
}
