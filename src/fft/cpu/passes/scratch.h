/* SPDX-License-Identifier: BSD-3-Clause */
/* Work memory of a plan: taken and given back by each call, kept in between, so that calls allocate only when
 * more of them run at once than before. */
#ifndef FFT_CPU_PASSES_SCRATCH_H
#define FFT_CPU_PASSES_SCRATCH_H

#include <pthread.h>
#include <stddef.h>
#include "base/status.h"

typedef struct scratch_block {
    struct scratch_block *next;
    size_t bytes;
    void *memory;
} scratch_block;

typedef struct scratch_pool {
    pthread_mutex_t lock;
    scratch_block *free;
} scratch_pool;

void scratch_open(scratch_pool *pool);
void scratch_close(scratch_pool *pool);
argand_status scratch_take(scratch_pool *pool, size_t bytes, scratch_block **block);
void scratch_give(scratch_pool *pool, scratch_block *block); /* NULL is allowed */

#endif
