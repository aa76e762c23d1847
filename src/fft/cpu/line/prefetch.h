/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that come next are asked for while others are computed, where data come from memory and not from a
 * cache (job.prefetch): of 1024 points this made batches 2.3 times as fast. A processor of its own prefetches
 * along rows that it has seen the beginning of, which is late for rows of a few cache lines. */
#ifndef FFT_CPU_LINE_PREFETCH_H
#define FFT_CPU_LINE_PREFETCH_H

#include <stdint.h>

enum { CACHE_LINE = 64 };

/* Prefetches into the second-level cache. The nearest cache tracks few requests at once (10 to 24 today),
 * and the current loads and stores need them. For groups of lines or long lines this is twice as fast as
 * prefetching to the nearest cache. The function is always inline: gcc removes calls of a function that
 * only prefetches. Addresses may be outside any memory. */
static inline __attribute__((always_inline)) void prefetch_far(const void *at, int64_t bytes)
{
    __builtin_prefetch((const void *)((uintptr_t)at + (uintptr_t)bytes), 0, 2);
}

/* Into the nearest cache: a short line that is next. */
static inline __attribute__((always_inline)) void prefetch_near(const void *at, int64_t bytes)
{
    __builtin_prefetch((const void *)((uintptr_t)at + (uintptr_t)bytes));
}

/* All that lies from one byte to another */
static inline __attribute__((always_inline)) void prefetch_range(const void *at, int64_t from, int64_t to)
{
    for (int64_t i = from / CACHE_LINE * CACHE_LINE; i < to; i += CACHE_LINE) prefetch_far(at, i);
}

static inline __attribute__((always_inline)) void prefetch_near_range(const void *at, int64_t from,
                                                                      int64_t to)
{
    for (int64_t i = from / CACHE_LINE * CACHE_LINE; i < to; i += CACHE_LINE) prefetch_near(at, i);
}

#endif
