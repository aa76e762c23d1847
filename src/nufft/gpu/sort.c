/* SPDX-License-Identifier: BSD-3-Clause */
/* Points located and sorted on the device: a radix sort, whose passes are stable, so that the order is the
 * same every time. */
#include "nufft/gpu/gpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

enum { DIGITS = 1 << NUFFT_DIGIT, ITEMS = 256, GROUP_POINTS = ITEMS * NUFFT_SORTED };

/* Memory between the steps */
typedef struct sorting {
    storage *keys, *order, *u, *totals, *bad;
    int64_t groups;
} sorting;

static void release(sorting *s)
{
    storage_release(s->bad);
    storage_release(s->totals);
    storage_release(s->u);
    storage_release(s->order);
    storage_release(s->keys);
}

static size_t real_bytes(const nufft_gpu *g)
{
    return g->is_double ? 8 : 4;
}

static argand_status allocate(nufft_gpu *g, sorting *s)
{
    const size_t count = (size_t)g->count + 1, index = count * sizeof(uint32_t),
                 u = count * real_bytes(g) * (size_t)g->rank;
    s->groups = (g->count + GROUP_POINTS - 1) / (GROUP_POINTS);
    TRY(storage_new(&g->order, g->device, index));
    TRY(storage_new(&g->keys, g->device, index));
    TRY(storage_new(&g->u, g->device, u));
    TRY(storage_new(&g->row, g->device, 2 * ((size_t)g->rows + 1) * sizeof(uint32_t)));
    TRY(storage_scratch(&s->order, g->device, index));
    TRY(storage_scratch(&s->keys, g->device, index));
    TRY(storage_scratch(&s->u, g->device, u));
    TRY(storage_scratch(&s->totals, g->device, (size_t)(s->groups + 1) * DIGITS * sizeof(uint32_t)));
    return storage_new(&s->bad, g->device, sizeof(uint32_t));
}

static double position(const argand_array *k, const void *numbers, int64_t i)
{
    return argand_array_type(k) == ARGAND_R64 ? ((const double *)numbers)[i]
                                              : (double)((const float *)numbers)[i];
}

/* Says which position is not finite. */
static argand_status name_bad(const nufft_gpu *g, argand_array *const k[])
{
    int64_t bad = -1;
    void *numbers;
    for (int axis = 0; axis < g->rank; axis++) {
        TRY(memory_new(&numbers, (size_t)g->count, argand_type_size(argand_array_type(k[axis]))));
        const argand_status status = argand_array_download(k[axis], numbers);
        for (int64_t i = 0; status == ARGAND_OK && i < g->count; i++)
            if (!isfinite(position(k[axis], numbers, i)) && i > bad) bad = i;
        memory_free(numbers);
        TRY(status);
    }
    return status_set(ARGAND_NUMERIC,
                      "nufft: position %lld of %lld is not finite: all must be numbers in cycles/FOV",
                      (long long)bad, (long long)g->count);
}

/* Keys and order into the plan's memory, u into that of sorting. */
static argand_status locate(nufft_gpu *g, sorting *s, argand_array *const k[])
{
    char key[GPU_KEY];
    uint32_t bad = 0;
    struct nufft_params p = gpu_params(g);
    storage *memory[7] = {g->keys, g->order, s->u, s->bad};
    for (int axis = 0; axis < 3; axis++) {
        const argand_array *from = k[axis < g->rank ? axis : 0];
        memory[4 + axis] = from->storage;
        p.k[axis] = from->offset;
        memcpy(&p.scale[axis], &g->scale[axis], sizeof p.scale[axis]);
    }
    snprintf(key, sizeof key, "nufft_locate REAL=%s RANK=%d WIDTH=%d COORDINATE=%s CHUNK=%d",
             g->is_double ? "double" : "float", g->rank, g->width,
             argand_array_type(k[0]) == ARGAND_R64 ? "double" : "float", GPU_CHUNK);
    TRY(gpu_start(g, key, (g->count + GPU_CHUNK - 1) / GPU_CHUNK, memory, 7, &p));
    TRY(storage_download(s->bad, 0, &bad, sizeof bad));
    return bad ? name_bad(g, k) : ARGAND_OK;
}

static void swap(storage **a, storage **b)
{
    storage *const kept = *a;
    *a = *b;
    *b = kept;
}

static argand_status sort_digit(nufft_gpu *g, sorting *s, int shift)
{
    struct nufft_params p = gpu_params(g);
    const int64_t totals = s->groups * DIGITS;
    p.shift = shift;
    p.count = totals;
    TRY(gpu_start(g, "nufft_sort_count ITEMS=256", s->groups, (storage *const[]){s->totals, g->keys}, 2, &p));
    TRY(gpu_start(g, "nufft_sort_scan ITEMS=256", 1, &s->totals, 1, &p));
    storage *const memory[5] = {s->keys, s->order, g->keys, g->order, s->totals};
    TRY(gpu_start(g, "nufft_sort_move ITEMS=256", s->groups, memory, 5, &p));
    swap(&g->keys, &s->keys);
    swap(&g->order, &s->order);
    return ARGAND_OK;
}

static argand_status finish(nufft_gpu *g, sorting *s)
{
    char key[GPU_KEY];
    struct nufft_params p = gpu_params(g);
    p.count = g->rows + 1;
    snprintf(key, sizeof key, "nufft_sort_rows RANK=%d WIDTH=%d LEFT=%d CHUNK=%d", g->rank, g->width, g->left,
             GPU_CHUNK);
    TRY(gpu_start(g, key, (p.count + GPU_CHUNK - 1) / GPU_CHUNK, (storage *const[]){g->row, g->keys}, 2, &p));
    snprintf(key, sizeof key, "nufft_sort_places REAL=%s RANK=%d CHUNK=%d", g->is_double ? "double" : "float",
             g->rank, GPU_CHUNK);
    return gpu_start(g, key, (g->count + GPU_CHUNK - 1) / GPU_CHUNK, (storage *const[]){g->u, s->u, g->order},
                     3, &p);
}

argand_status gpu_sort(nufft_gpu *g, argand_array *const k[])
{
    sorting s = {0};
    argand_status status;
    TRY_OR_DONE(allocate(g, &s));
    if (g->count > 0) TRY_OR_DONE(locate(g, &s, k));
    const uint64_t keys = (uint64_t)g->rows << NUFFT_TILE_X;
    for (int shift = 0; shift < 32 && g->count > 0 && (keys - 1) >> shift; shift += NUFFT_DIGIT)
        TRY_OR_DONE(sort_digit(g, &s, shift));
    status = finish(g, &s);
done:
    release(&s);
    return status;
}
