/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps freed temporary memory for later use, in blocks of a few sizes. All work of a device runs in
 * order, so a block may be reused while work on it is still running. Kept blocks go back to the driver if
 * an allocation fails and when the device closes. Blocks whose address a captured graph holds go back only
 * when the device closes. */
#include "device/handle.h"

#include "base/memory.h"

struct arena_block {
    arena_block *next;
    void *memory, *kept;
    size_t bytes;
    bool fixed; /* a captured graph holds its address */
};

enum { LEAST_BLOCK = 4096 };

/* Rounds up to an eighth of a power of two, so that a block is at most 1/8 larger than needed. */
static size_t size_class(size_t bytes)
{
    size_t step = LEAST_BLOCK / 8;
    if (bytes <= LEAST_BLOCK) return LEAST_BLOCK;
    if (bytes > SIZE_MAX / 2) return bytes;
    while (step * 16 < bytes) step *= 2;
    return (bytes + step - 1) / step * step;
}

/* Takes the smallest kept block that fits and is at most 1.5 times as large as needed. NULL: none. lasting:
 * no block whose address a graph holds, as the graph writes there whenever it is started. */
static arena_block *take_kept(argand_device *device, size_t bytes, bool lasting)
{
    arena_block **best = NULL;
    pthread_mutex_lock(&device->arena_lock);
    for (arena_block **b = &device->arena; *b; b = &(*b)->next)
        if (!(lasting && (*b)->fixed) && (*b)->bytes >= bytes && (*b)->bytes / 2 <= bytes - bytes / 4 &&
            (!best || (*b)->bytes < (*best)->bytes))
            best = b;
    arena_block *block = best ? *best : NULL;
    if (best) *best = block->next;
    pthread_mutex_unlock(&device->arena_lock);
    return block;
}

/* Allocates memory from the backend. Counts the bytes before the allocation, so that concurrent threads
 * stay within the limit. */
static argand_status alloc_counted(argand_device *device, size_t bytes, void **memory)
{
    const size_t limit = atomic_load(&device->limit), held = atomic_fetch_add(&device->held, bytes) + bytes;
    const argand_status status =
        limit && held > limit ? status_set(ARGAND_MEMORY, "no memory for %zu bytes: %zu of %zu are held",
                                           bytes, held - bytes, limit)
                              : device->backend->alloc(device->context, bytes, memory);
    if (status != ARGAND_OK) {
        atomic_fetch_sub(&device->held, bytes);
        return status;
    }
    size_t most = atomic_load(&device->most_held);
    while (most < held && !atomic_compare_exchange_weak(&device->most_held, &most, held)) continue;
    return ARGAND_OK;
}

argand_status arena_alloc(argand_device *device, size_t bytes, void **memory)
{
    const argand_status status = alloc_counted(device, bytes, memory);
    if (status != ARGAND_MEMORY || !arena_empty(device)) return status;
    return alloc_counted(device, bytes, memory);
}

void arena_free(argand_device *device, size_t bytes, void *memory)
{
    device->backend->free(device->context, memory);
    atomic_fetch_sub(&device->held, bytes);
}

argand_status arena_take(argand_device *device, size_t bytes, bool lasting, arena_block **block)
{
    const size_t rounded = size_class(bytes);
    *block = take_kept(device, rounded, lasting);
    if (*block) {
        const backend *b = device->backend;
        if (b->is_captured && b->is_captured(device->context)) (*block)->fixed = true;
        return ARGAND_OK;
    }
    TRY(NEW(*block, 1));
    (*block)->bytes = rounded;
    const argand_status status = arena_alloc(device, rounded, &(*block)->memory);
    if (status != ARGAND_OK) {
        memory_free(*block);
        *block = NULL;
    }
    return status;
}

void *arena_memory(const arena_block *block)
{
    return block->memory;
}

void **arena_kept(arena_block *block)
{
    return &block->kept;
}

void arena_give(argand_device *device, arena_block *block)
{
    pthread_mutex_lock(&device->arena_lock);
    block->next = device->arena;
    device->arena = block;
    pthread_mutex_unlock(&device->arena_lock);
}

/* Removes kept blocks from the list and returns them. Blocks of graphs stay unless the device closes. */
static arena_block *take_unused(argand_device *device, bool closes)
{
    arena_block *taken = NULL;
    pthread_mutex_lock(&device->arena_lock);
    for (arena_block **b = &device->arena, *block; (block = *b);) {
        if (block->fixed && !closes) {
            b = &block->next;
            continue;
        }
        *b = block->next;
        block->next = taken;
        taken = block;
    }
    pthread_mutex_unlock(&device->arena_lock);
    return taken;
}

static bool give_back(argand_device *device, bool closes)
{
    arena_block *block = take_unused(device, closes);
    const bool held = block != NULL;
    while (block) {
        arena_block *next = block->next;
        arena_free(device, block->bytes, block->memory);
        memory_free(block->kept);
        memory_free(block);
        block = next;
    }
    return held;
}

bool arena_empty(argand_device *device)
{
    return give_back(device, false);
}

void arena_close(argand_device *device)
{
    give_back(device, true);
}
