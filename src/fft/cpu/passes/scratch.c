/* SPDX-License-Identifier: BSD-3-Clause */
/* A pool of work memory that concurrent calls of one plan share. */
#include "fft/cpu/passes/scratch.h"

#include "base/memory.h"

void scratch_open(scratch_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pool->free = NULL;
}

static void block_free(scratch_block *block)
{
    if (block) memory_free(block->memory);
    memory_free(block);
}

void scratch_close(scratch_pool *pool)
{
    while (pool->free) {
        scratch_block *block = pool->free;
        pool->free = block->next;
        block_free(block);
    }
    pthread_mutex_destroy(&pool->lock);
}

static scratch_block *pop(scratch_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    scratch_block *block = pool->free;
    if (block) pool->free = block->next;
    pthread_mutex_unlock(&pool->lock);
    return block;
}

argand_status scratch_take(scratch_pool *pool, size_t bytes, scratch_block **out)
{
    scratch_block *block = pop(pool);
    argand_status status = ARGAND_OK;
    if (!block) TRY(NEW(block, 1));
    if (block->bytes < bytes) {
        memory_free(block->memory);
        block->bytes = 0;
        status = memory_new(&block->memory, bytes, 1);
        if (status == ARGAND_OK) block->bytes = bytes;
    }
    *out = status == ARGAND_OK ? block : NULL;
    if (status != ARGAND_OK) block_free(block);
    return status;
}

void scratch_give(scratch_pool *pool, scratch_block *block)
{
    if (!block) return;
    pthread_mutex_lock(&pool->lock);
    block->next = pool->free;
    pool->free = block;
    pthread_mutex_unlock(&pool->lock);
}
