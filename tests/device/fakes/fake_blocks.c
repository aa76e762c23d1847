/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a fake driver, and copies of rows in it. */
#include "fake_blocks.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { MOST_BLOCKS = 4096 };
static struct block blocks[MOST_BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *(*take)(size_t) = malloc;
static void (*give)(void *) = free;

void block_use(void *(*alloc)(size_t bytes), void (*give_back)(void *memory))
{
    take = alloc;
    give = give_back;
}

static struct block *find(uintptr_t address)
{
    for (int i = 0; i < MOST_BLOCKS; i++)
        if (blocks[i].address && (uintptr_t)blocks[i].address <= address &&
            address < (uintptr_t)blocks[i].address + blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

const struct block *block_find(unsigned long long address)
{
    pthread_mutex_lock(&lock);
    const struct block *found = find((uintptr_t)address);
    pthread_mutex_unlock(&lock);
    return found;
}

int block_add(void **address, size_t bytes, unsigned int kind, int device)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < MOST_BLOCKS && blocks[i].address) i++;
    if (i < MOST_BLOCKS) {
        blocks[i] = (struct block){take(bytes), bytes, kind, device};
        memset(blocks[i].address, 0xAB, bytes);
        *address = blocks[i].address;
    }
    pthread_mutex_unlock(&lock);
    return i < MOST_BLOCKS;
}

size_t block_drop(const void *address, unsigned int *kind)
{
    size_t bytes = 0;
    pthread_mutex_lock(&lock);
    struct block *b = find((uintptr_t)address);
    if (b && b->address == address) {
        bytes = b->bytes;
        *kind = b->kind;
        give(b->address);
        *b = (struct block){0};
    }
    pthread_mutex_unlock(&lock);
    return bytes;
}

int block_holds(unsigned long long address, size_t bytes)
{
    const struct block *b = block_find(address);
    return b && b->kind == 2 && address + bytes <= (uintptr_t)b->address + b->bytes;
}

/* Copies of rows, declared as in cuda.h. */
struct copy_rows {
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    unsigned long long from;
    void *from_texture;
    size_t from_pitch, to_x, to_y;
    int to_kind;
    void *to_host;
    unsigned long long to;
    void *to_texture;
    size_t to_pitch, width, height;
};
EXPORT int fakeMemcpy2DAsync(const struct copy_rows *copy, void *stream) __asm__("cuMemcpy2DAsync_v2");
int fakeMemcpy2DAsync(const struct copy_rows *copy, void *stream)
{
    if (copy->from_kind != 2 || copy->to_kind != 2 || copy->from_x || copy->from_y || copy->to_x ||
        copy->to_y)
        return 1;
    if (copy->from_pitch < copy->width || copy->to_pitch < copy->width) return 1;
    for (size_t i = 0; i < copy->height; i++) {
        const unsigned long long to = copy->to + i * copy->to_pitch, from = copy->from + i * copy->from_pitch;
        if (!block_holds(to, copy->width) || !block_holds(from, copy->width)) return 1;
        memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, copy->width);
    }
    return (void)stream, 0;
}

/* Pools of memory that is given out in stream order; the fake's memory is there for all devices. */
static int accesses;
EXPORT int *fake_pool_accesses(void);
int *fake_pool_accesses(void)
{
    return &accesses;
}
EXPORT int fake_pool(void **pool, int device) __asm__("cuDeviceGetMemPool");
int fake_pool(void **pool, int device)
{
    return *pool = &blocks[device], 0;
}
EXPORT int fake_pool_access(void *pool, const int who[3], size_t count) __asm__("cuMemPoolSetAccess");
int fake_pool_access(void *pool, const int who[3], size_t count)
{
    __atomic_fetch_add(&accesses, 1, __ATOMIC_SEQ_CST);
    return !pool || who[0] != 1 || who[2] != 3 || count != 1;
}
