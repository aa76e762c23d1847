/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the plans that calls of their own used last, the newest first. Each thread that is in such a call has
 * a cache to itself, so that nobody waits. */
#include "nufft/plan_cache.h"

#include <string.h>
#include "base/memory.h"
#include "nufft/on_host.h"

enum { MOST_PLANS = 8, MOST_BYTES = 4 << 20, PLAN_BYTES = 1 << 20 };

struct plan_cache {
    device_kept kept;
    int count;
    argand_nufft *plan[MOST_PLANS];
    size_t size[MOST_PLANS], bytes; /* of each plan, of all */
};

static void destroy(device_kept *kept)
{
    plan_cache *cache = (plan_cache *)(void *)kept; /* its first member */
    for (int i = 0; i < cache->count; i++) plan_free(cache->plan[i]);
    memory_free(cache);
}

argand_status plan_cache_take(plan_cache **cache, argand_device *device)
{
    *cache = (plan_cache *)(void *)device_take_kept(device);
    if (*cache) return ARGAND_OK;
    TRY(NEW(*cache, 1));
    (*cache)->kept.destroy = destroy;
    return ARGAND_OK;
}

void plan_cache_give_back(plan_cache *cache, argand_device *device)
{
    device_give_kept(device, &cache->kept);
}

static bool same_number(double a, double b)
{
    return !(a < b) && !(a > b);
}

static bool same_options(const argand_nufft_options *a, const argand_nufft_options *b)
{
    for (int axis = 0; axis < a->rank; axis++)
        if (a->n[axis] != b->n[axis]) return false;
    return a->type == b->type && a->rank == b->rank && same_number(a->tolerance, b->tolerance) &&
           same_number(a->oversampling, b->oversampling) && a->sign == b->sign && a->units == b->units &&
           a->order == b->order && a->window_only == b->window_only && a->real_image == b->real_image &&
           a->every_pixel == b->every_pixel;
}

static argand_nufft *take_out(plan_cache *cache, int at)
{
    argand_nufft *const plan = cache->plan[at];
    const size_t after = (size_t)(--cache->count - at);
    cache->bytes -= cache->size[at];
    memmove(cache->plan + at, cache->plan + at + 1, after * sizeof *cache->plan);
    memmove(cache->size + at, cache->size + at + 1, after * sizeof *cache->size);
    return plan;
}

argand_nufft *plan_cache_find(plan_cache *cache, const argand_nufft_options *options, double points_count)
{
    int found = -1;
    for (int i = 0; i < cache->count; i++) {
        if (!same_options(&cache->plan[i]->options, options)) continue;
        const bool same_count = same_number(cache->plan[i]->chosen_for, points_count);
        if (found < 0 || same_count) found = i;
        if (same_count) break;
    }
    return found < 0 ? NULL : take_out(cache, found);
}

void plan_cache_keep(plan_cache *cache, argand_nufft *plan)
{
    size_t size = sizeof *plan + layout_bytes(plan->layout);
    plan_free_points(plan);
    if (size > PLAN_BYTES) {
        plan_free(plan);
        return;
    }
    if (size + workspace_bytes(plan->spare) > PLAN_BYTES)
        workspace_destroy(atomic_exchange(&plan->spare, NULL));
    size += workspace_bytes(plan->spare);
    while (cache->count == MOST_PLANS || cache->bytes + size > MOST_BYTES)
        plan_free(take_out(cache, cache->count - 1));
    memmove(cache->plan + 1, cache->plan, (size_t)cache->count * sizeof *cache->plan);
    memmove(cache->size + 1, cache->size, (size_t)cache->count * sizeof *cache->size);
    cache->plan[0] = plan;
    cache->size[0] = size;
    cache->bytes += size;
    cache->count++;
}
