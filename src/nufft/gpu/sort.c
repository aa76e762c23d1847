/* SPDX-License-Identifier: BSD-3-Clause */
/* Points sorted on the device, after they were located: a radix sort, whose passes are stable, so that the
 * order is the same every time. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

enum { ITEMS = 256, GROUP_POINTS = ITEMS * NUFFT_SORTED, DIGIT = 8 /* bits, at most */ };

#define COUNT_KEY "nufft_sort_count ITEMS=256"
#define SCAN_KEY "nufft_sort_scan ITEMS=256"
#define MOVE_KEY "nufft_sort_move ITEMS=256"

/* Memory between the steps */
typedef struct sorting {
    storage *keys, *order, *u, *totals;
    int64_t groups;
} sorting;

static void release(sorting *s)
{
    storage_release(s->totals);
    storage_release(s->u);
    storage_release(s->order);
    storage_release(s->keys);
}

static size_t real_bytes(const nufft_gpu *g)
{
    return g->is_double ? 8 : 4;
}

/* Allocates both kept and temporary memory from the arena, so that points that are set again reuse the
 * memory of the last ones. Order and keys change places with those that are kept, unless it is again. */
static argand_status allocate(nufft_gpu *g, sorting *s)
{
    const size_t count = (size_t)g->count + 1, index = count * sizeof(uint32_t),
                 u = count * real_bytes(g) * (size_t)g->rank;
    s->groups = (g->count + GROUP_POINTS - 1) / (GROUP_POINTS);
    if (!g->order) TRY(storage_lasting(&g->order, g->device, index));
    if (!g->keys) TRY(storage_lasting(&g->keys, g->device, index));
    if (!g->u) TRY(storage_lasting(&g->u, g->device, u));
    if (!g->row) TRY(storage_lasting(&g->row, g->device, 2 * ((size_t)g->rows + 1) * sizeof(uint32_t)));
    if (g->full && !g->folded) TRY(storage_lasting(&g->folded, g->device, count));
    argand_status (*const take)(storage **, argand_device *, size_t) =
        g->is_again ? storage_scratch : storage_lasting;
    TRY(take(&s->order, g->device, index));
    TRY(take(&s->keys, g->device, index));
    TRY(storage_scratch(&s->u, g->device, u));
    return storage_scratch(&s->totals, g->device, (size_t)(s->groups + 1) * NUFFT_DIGITS * sizeof(uint32_t));
}

/* Keys, order and u once more, which change places with those that are kept; totals. Blocks of the arena are
 * up to an eighth larger. */
size_t gpu_sort_bytes(const nufft_gpu *g)
{
    enum { BLOCKS = 5, LEAST_BLOCK = 4096 };
    const size_t count = (size_t)g->count + 1, groups = ((size_t)g->count + GROUP_POINTS - 1) / GROUP_POINTS;
    const size_t bytes = count * (2 * sizeof(uint32_t) + real_bytes(g) * (size_t)g->rank) +
                         (groups + 1) * NUFFT_DIGITS * sizeof(uint32_t);
    return bytes + bytes / 8 + BLOCKS * LEAST_BLOCK;
}

static void swap(storage **a, storage **b)
{
    storage *const kept = *a;
    *a = *b;
    *b = kept;
}

static argand_status start_sort(const nufft_gpu *g, const char *key, int64_t groups, storage *const *memory,
                                int memory_count, const struct nufft_sort_params *params)
{
    return kernel_start(g->device, &(kernel_run){.key = key,
                                                 .groups = groups,
                                                 .memory = memory,
                                                 .memory_count = memory_count,
                                                 .params = params,
                                                 .params_bytes = sizeof *params});
}

static argand_status sort_digit(nufft_gpu *g, sorting *s, int shift, int bits)
{
    const struct nufft_sort_params p = {
        .points = g->count, .groups = s->groups, .shift = shift, .mask = (1 << bits) - 1};
    storage *const memory[5] = {s->keys, s->order, g->keys, g->order, s->totals};
    TRY(start_sort(g, COUNT_KEY, s->groups, (storage *const[]){s->totals, g->keys}, 2, &p));
    TRY(start_sort(g, SCAN_KEY, NUFFT_DIGITS, &s->totals, 1, &p));
    TRY(start_sort(g, MOVE_KEY, s->groups, memory, 5, &p));
    swap(&g->keys, &s->keys);
    swap(&g->order, &s->order);
    return ARGAND_OK;
}

static int bits_of_keys(const nufft_gpu *g)
{
    int bits = 0;
    while ((((uint64_t)g->rows << NUFFT_TILE_X) - 1) >> bits) bits++;
    return bits;
}

static int passes_of(const nufft_gpu *g)
{
    return (bits_of_keys(g) + DIGIT - 1) / DIGIT;
}

/* Sorts by as few digits as the keys need, of equal numbers of bits */
static argand_status sort_keys(nufft_gpu *g, sorting *s)
{
    const int bits = bits_of_keys(g), passes = passes_of(g);
    for (int pass = 0; pass < passes; pass++) {
        const int first = bits * pass / passes, end = bits * (pass + 1) / passes;
        TRY(sort_digit(g, s, first, end - first));
    }
    return ARGAND_OK;
}

static void print_rows(char key[GPU_KEY], const nufft_gpu *g)
{
    snprintf(key, GPU_KEY, "nufft_sort_rows RANK=%d WIDTH=%d LEFT=%d CHUNK=%d", g->rank, g->width, g->left,
             GPU_CHUNK);
}

static void print_places(char key[GPU_KEY], const nufft_gpu *g)
{
    snprintf(key, GPU_KEY, "nufft_sort_places REAL=%s RANK=%d CHUNK=%d", g->is_double ? "double" : "float",
             g->rank, GPU_CHUNK);
}

/* Compiles the kernels for points and the parts of tiles together. Devices without doubles locate
 * points on the host. A rehearsal keeps the kernels for positions of both types. */
static argand_status build(const nufft_gpu *g, argand_array *const k[])
{
    char rows[GPU_KEY], places[GPU_KEY], totals[GPU_KEY], parts[GPU_KEY], locate[GPU_KEY], other[GPU_KEY];
    const char *const keys[] = {COUNT_KEY, SCAN_KEY, MOVE_KEY, rows, places, totals, parts, locate, other};
    enum { ALWAYS = 7 };
    const argand_type type = argand_array_type(k[0]);
    print_rows(rows, g);
    print_places(places, g);
    gpu_print_parts(totals, parts, g);
    gpu_print_locate(locate, g, type);
    gpu_print_locate(other, g, type == ARGAND_R64 ? ARGAND_R32 : ARGAND_R64);
    const int located = device_traits_of(g->device)->rehearses ? 2 : 1;
    return kernels_build(g->device, keys, ALWAYS + (device_has_double(g->device) ? located : 0));
}

static argand_status finish(nufft_gpu *g, sorting *s)
{
    char key[GPU_KEY];
    struct nufft_params p = gpu_params(g);
    p.count = g->rows + 1;
    print_rows(key, g);
    TRY(gpu_start(g, key, (p.count + GPU_CHUNK - 1) / GPU_CHUNK, (storage *const[]){g->row, g->keys}, 2, &p));
    print_places(key, g);
    return gpu_start(g, key, (g->count + GPU_CHUNK - 1) / GPU_CHUNK, (storage *const[]){g->u, s->u, g->order},
                     3, &p);
}

argand_status gpu_sort(nufft_gpu *g, argand_array *const k[])
{
    sorting s = {0};
    argand_status status;
    TRY_OR_DONE(allocate(g, &s));
    if (g->count > 0) {
        TRY_OR_DONE(build(g, k));
        TRY_OR_DONE(gpu_locate(g, s.u, k));
        TRY_OR_DONE(sort_keys(g, &s));
    }
    status = finish(g, &s);
done:
    release(&s);
    return status;
}

/* The last pass ends in the memory where the points are kept: a graph that repeats this knows its address. */
argand_status gpu_sort_again(nufft_gpu *g, argand_array *const k[])
{
    sorting s = {0};
    argand_status status;
    TRY_OR_DONE(allocate(g, &s));
    if (passes_of(g) % 2) {
        swap(&g->keys, &s.keys);
        swap(&g->order, &s.order);
    }
    TRY_OR_DONE(gpu_locate(g, s.u, k));
    TRY_OR_DONE(sort_keys(g, &s));
    status = finish(g, &s);
done:
    release(&s);
    return status;
}
