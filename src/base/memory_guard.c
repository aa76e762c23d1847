/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates blocks between inaccessible pages, for tests: an access one byte beyond a block ends the
 * program at once, whatever the instruction (valgrind does not support AVX-512, and the address sanitizer
 * does not see assembler). Bytes between a block and the pages hold a pattern that is checked when the
 * block is freed. */
#include "base/memory_guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, PATTERN = 0xa5 };

typedef struct guarded {
    char *block, *pages;
    size_t bytes,
        page_bytes; /* bytes of the block; bytes from the first to the last inaccessible page, inclusive */
} guarded;

/* All blocks, by open addressing, in memory outside these functions. */
typedef struct table {
    guarded *slot;
    size_t slots, used;
} table;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static table blocks;
static atomic_int mode;
static atomic_long there, damaged;

void argand_test_guard_memory(argand_test_guard where)
{
    atomic_store(&mode, (int)where);
}

long argand_test_guard_damage(void)
{
    return atomic_load(&damaged);
}

argand_test_guard memory_guards(void)
{
    return (argand_test_guard)atomic_load_explicit(&mode, memory_order_relaxed);
}

/* ---- the table ---- */

static guarded *find(const table *t, const char *block)
{
    size_t i = (size_t)((uintptr_t)block / LINE * 0x9e3779b97f4a7c15U) & (t->slots - 1);
    while (t->slot[i].block && t->slot[i].block != block) i = (i + 1) & (t->slots - 1);
    return &t->slot[i];
}

static void *anonymous(size_t bytes, int protection)
{
    void *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static bool grow(table *t)
{
    const size_t slots = t->slots ? 2 * t->slots : 4096;
    table larger = {.slot = anonymous(slots * sizeof *t->slot, PROT_READ | PROT_WRITE), .slots = slots};
    if (!larger.slot) return false;
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].block) {
            *find(&larger, t->slot[i].block) = t->slot[i];
            larger.used++;
        }
    if (t->slot) munmap(t->slot, t->slots * sizeof *t->slot);
    *t = larger;
    return true;
}

static bool keep(const guarded *g)
{
    pthread_mutex_lock(&lock);
    const bool has_slot = 2 * blocks.used < blocks.slots || grow(&blocks);
    if (has_slot) {
        *find(&blocks, g->block) = *g;
        blocks.used++;
    }
    pthread_mutex_unlock(&lock);
    return has_slot;
}

/* Removes an entry, and reinserts the entries that follow in its run of slots. */
static bool drop(char *block, guarded *g)
{
    pthread_mutex_lock(&lock);
    guarded *slot = blocks.slot ? find(&blocks, block) : NULL;
    const bool found = slot && slot->block;
    if (found) {
        *g = *slot;
        *slot = (guarded){0};
        blocks.used--;
        for (size_t i = (size_t)(slot - blocks.slot + 1) & (blocks.slots - 1); blocks.slot[i].block;
             i = (i + 1) & (blocks.slots - 1)) {
            const guarded moved = blocks.slot[i];
            blocks.slot[i] = (guarded){0};
            *find(&blocks, moved.block) = moved;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- a block ---- */

static bool is_whole(const guarded *g, size_t page)
{
    const char *first = g->pages + page, *last = g->pages + g->page_bytes - page;
    for (const char *at = first; at < g->block; at++)
        if ((unsigned char)*at != PATTERN) return false;
    for (const char *at = g->block + g->bytes; at < last; at++)
        if ((unsigned char)*at != PATTERN) return false;
    return true;
}

void *memory_guarded(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), lines = (bytes + LINE - 1) / LINE * LINE,
                 inner = lines ? (lines + page - 1) / page * page : page;
    guarded g = {.bytes = bytes, .page_bytes = inner + 2 * page};
    g.pages = anonymous(g.page_bytes, PROT_NONE);
    if (!g.pages) return NULL;
    const bool behind = memory_guards() == ARGAND_TEST_GUARD_BEHIND;
    g.block = g.pages + page + (behind ? inner - lines : 0);
    if (mprotect(g.pages + page, inner, PROT_READ | PROT_WRITE) || !keep(&g)) {
        munmap(g.pages, g.page_bytes);
        return NULL;
    }
    memset(g.pages + page, PATTERN, inner);
    atomic_fetch_add(&there, 1);
    return g.block;
}

bool memory_guarded_free(void *block)
{
    guarded g;
    if (atomic_load_explicit(&there, memory_order_relaxed) == 0 || !drop(block, &g)) return false;
    if (!is_whole(&g, (size_t)sysconf(_SC_PAGESIZE))) atomic_fetch_add(&damaged, 1);
    munmap(g.pages, g.page_bytes);
    atomic_fetch_sub(&there, 1);
    return true;
}
