/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates host memory, aligned and with checked sizes; counts allocations and fails on demand for the
 * tests. */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/memory_guard.h"
#include "base/memory_pool.h"
#include "base/memory_available.h"

static atomic_long fail_at, live;
static _Atomic uint64_t taken;

void argand_test_fail_allocation(long n)
{
    atomic_store(&fail_at, n);
}

long argand_test_live_allocations(void)
{
    return atomic_load(&live);
}

uint64_t argand_test_bytes_taken(void)
{
    return atomic_load(&taken);
}

static bool must_fail(void)
{
    if (atomic_load_explicit(&fail_at, memory_order_relaxed) <= 0) return false;
    return atomic_fetch_sub(&fail_at, 1) == 1;
}

size_t memory_product(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static argand_status take_aligned(void *pointer_to_pointer, size_t bytes, size_t unit)
{
    void *pointer = NULL;
    const bool failing = atomic_load_explicit(&fail_at, memory_order_relaxed) > 0;
    pointer = bytes < SIZE_MAX / 2 && !failing ? memory_pool_take(bytes, unit) : NULL;
    memcpy(pointer_to_pointer, &pointer, sizeof pointer);
    if (pointer) {
        atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
        return ARGAND_OK;
    }
    TRY(memory_check_all(bytes, NULL)); /* systems may grant memory that they do not have */
    if (bytes < SIZE_MAX / 2 && !must_fail()) {
        if (memory_guards())
            pointer = memory_guarded(bytes);
        else if (posix_memalign(&pointer, unit,
                                (bytes / 64 + 1) *
                                    64)) /* not rounded up to pages, because plans announce bytes */
            pointer = NULL;
    }
    memcpy(pointer_to_pointer, &pointer, sizeof pointer);
    CHECK(pointer, ARGAND_MEMORY, "no memory for %.6g MB", (double)bytes / 1e6);
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&taken, bytes, memory_order_relaxed);
    return ARGAND_OK;
}

argand_status memory_take(void *pointer_to_pointer, size_t bytes)
{
    return take_aligned(pointer_to_pointer, bytes, 64);
}

argand_status memory_take_pages(void *pointer_to_pointer, size_t bytes)
{
    const size_t page = (size_t)2 << 20;
    void *pointer;
    if (bytes < 2 * page || memory_guards()) return memory_take(pointer_to_pointer, bytes);
    TRY(take_aligned(pointer_to_pointer, bytes, page));
    memcpy(&pointer, pointer_to_pointer, sizeof pointer);
#ifdef MADV_HUGEPAGE
    madvise(pointer, bytes, MADV_HUGEPAGE); /* without support, pages stay small */
#endif
    return ARGAND_OK;
}

argand_status memory_new(void *pointer_to_pointer, size_t count, size_t size)
{
    const size_t bytes = memory_product(count, size);
    void *pointer;
    TRY(memory_take(pointer_to_pointer, bytes));
    memcpy(&pointer, pointer_to_pointer, sizeof pointer);
    memset(pointer, 0, bytes);
    return ARGAND_OK;
}

argand_status memory_grow(void *pointer_to_pointer, int64_t count, int64_t *capacity, size_t size)
{
    const int64_t doubled = *capacity ? 2 * *capacity : 64;
    void *before, *larger;
    if (count < *capacity) return ARGAND_OK;
    TRY(memory_new(&larger, (size_t)doubled, size));
    memcpy(&before, pointer_to_pointer, sizeof before);
    if (count) memcpy(larger, before, (size_t)count * size);
    memory_free(before);
    memcpy(pointer_to_pointer, &larger, sizeof larger);
    *capacity = doubled;
    return ARGAND_OK;
}

void memory_free(void *pointer)
{
    if (!pointer) return;
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    if (!memory_guarded_free(pointer) && !memory_pool_give(pointer)) free(pointer);
}
