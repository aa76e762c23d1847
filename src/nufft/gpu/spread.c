/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of some vectors to the oversampled grid. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

static argand_status sort_samples(storage **sorted, const nufft_gpu *g, const gpu_samples *s,
                                  const struct nufft_params *p)
{
    char key[GPU_KEY];
    const size_t number = g->is_double ? 16 : 8;
    TRY(storage_scratch(sorted, g->device,
                        (size_t)(g->count + 1) * (size_t)(s->rounds * s->vectors) * number));
    snprintf(key, sizeof key, "nufft_sort_samples REAL=%s", gpu_real_name(g));
    return gpu_start(g, key, (g->count + 31) / 32, (storage *const[]){*sorted, s->array->storage, g->order},
                     3, p);
}

static void print_split(char key[GPU_KEY], const nufft_gpu *g, int lanes)
{
    snprintf(key, GPU_KEY, "nufft_split_samples REAL=float LANES=%d TENSOR_BRIEF=%d", lanes, g->tensor_brief);
}

static argand_status split_samples(storage **rows, storage **scales, const nufft_gpu *g, const gpu_samples *s,
                                   int lanes, const struct nufft_params *p)
{
    char key[GPU_KEY];
    TRY(storage_scratch(rows, g->device, (size_t)(g->count + 1) * (size_t)(s->rounds * lanes) * 8));
    TRY(storage_scratch(scales, g->device, 2 * (size_t)(s->rounds * lanes) * sizeof(float)));
    if (!g->tensor_brief) TRY(gpu_scales(*scales, g, s, lanes, p));
    print_split(key, g, lanes);
    return gpu_start(g, key, (g->count + 31) / 32,
                     (storage *const[]){*rows, s->array->storage, *scales, g->full ? g->folded : *scales}, 4,
                     p);
}

static int rows_of(const gpu_shape *s)
{
    return s->segments * s->y * s->z;
}

/* How many groups of products a multiprocessor is to have, where that is more than the compiler's own choice
 * of registers would leave. It takes hardly a number out of them; in 2-D that choice is better. */
static const char *tensor_blocks(int rank, int lanes)
{
    if (rank < 3) return "";
    return lanes > 16 ? " MIN_BLOCKS=3" : lanes > 8 ? " MIN_BLOCKS=4" : " MIN_BLOCKS=5";
}

/* Temporary arrays of spreading: blocks; samples, as rows of halves with scales or sorted; sums of parts.
 * is_general: by the kernel that takes any number of vectors, and all windows of the width. */
typedef struct spreading {
    gpu_shape shape;
    bool is_general;
    gpu_blocks *b;
    storage *samples, *scales, *partial;
} spreading;

static void print_spread(char key[GPU_KEY], const nufft_gpu *g, const spreading *w, int vectors, bool is_part)
{
    enum { TENSOR_ITEMS = 128 };
    char blocks[GPU_KEY / 2];
    const gpu_shape *shape = &w->shape;
    const int terms = w->is_general ? g->most_terms : g->terms,
              full = vectors == shape->lanes && (!w->is_general || shape->lanes <= 2);
    gpu_shape_print(blocks, sizeof blocks, g, shape);
    if (shape->tensor)
        snprintf(key, GPU_KEY,
                 "nufft_spread_tensor REAL=float %s TERMS=%d LANES=%d FULL=%d BATCH=%d "
                 "TENSOR_BRIEF=%d PART=%d ITEMS=%d%s",
                 blocks, terms, shape->lanes, full, GPU_BATCH, g->tensor_brief, is_part, TENSOR_ITEMS,
                 tensor_blocks(g->rank, shape->lanes));
    else
        snprintf(key, GPU_KEY, "nufft_spread REAL=%s %s TERMS=%d LANES=%d FULL=%d BATCH=%d PART=%d ITEMS=%d",
                 gpu_real_name(g), blocks, terms, shape->lanes, full,
                 shape->segments > 8 ? GPU_BATCH / 2 : GPU_BATCH, is_part, shape->lanes * rows_of(shape));
}

/* One launch: of all blocks, or of the parts of crowded ones */
static argand_status start_spread(const nufft_gpu *g, const spreading *w, bool is_part, storage *to,
                                  const struct nufft_params *p)
{
    char key[GPU_KEY];
    const gpu_blocks *b = w->b;
    storage *const coefficients = w->is_general ? g->most_coefficients : g->coefficients;
    storage *const memory[12] = {to,         w->samples, g->u,
                                 g->keys,    g->row,     coefficients,
                                 b->crowded, b->found,   w->partial && !is_part ? w->partial : w->samples,
                                 b->part,    g->order,   w->scales};
    print_spread(key, g, w, p->vectors, is_part);
    return gpu_start(g, key, is_part ? b->parts : b->count, memory, w->shape.tensor ? 12 : 10, p);
}

static argand_status spread_blocks(const nufft_gpu *g, spreading *w, argand_array *grid, const gpu_samples *s,
                                   const struct nufft_params *p)
{
    const int kept = w->shape.tensor ? w->shape.lanes : s->vectors;
    const size_t block = ((size_t)rows_of(&w->shape) << NUFFT_TILE_X) * (size_t)(s->rounds * kept);
    if (w->shape.tensor)
        TRY(split_samples(&w->samples, &w->scales, g, s, kept, p));
    else
        TRY(sort_samples(&w->samples, g, s, p));
    if (w->b->parts) {
        TRY(storage_scratch(&w->partial, g->device, (size_t)w->b->parts * block * (g->is_double ? 16 : 8)));
        TRY(start_spread(g, w, true, w->partial, p));
    }
    return start_spread(g, w, false, grid->storage, p);
}

/* Returns true if the general kernels of matrix products take the place of those for own lanes. */
static bool lanes_give_way(const nufft_gpu *g, int own_lanes, int lanes)
{
    char own[GPU_KEY], general[GPU_KEY];
    print_split(own, g, own_lanes);
    print_split(general, g, lanes);
    const bool any = gpu_gives_way(g, own, general);
    gpu_print_scale(own, false, own_lanes);
    gpu_print_scale(general, false, lanes);
    return (!g->tensor_brief && gpu_gives_way(g, own, general)) || any;
}

/* Takes the general kernels if the own ones are not all compiled yet. Matrix products then have all lanes. */
static void choose_kernels(spreading *w, const nufft_gpu *g, int vectors)
{
    char own[GPU_KEY], general[GPU_KEY];
    const spreading mine = *w;
    spreading any = *w;
    any.is_general = true;
    if (any.shape.tensor) any.shape.lanes = GPU_VECTORS;
    for (int is_part = w->b->parts > 0; is_part >= 0; is_part--) {
        print_spread(own, g, &mine, vectors, is_part);
        print_spread(general, g, &any, vectors, is_part);
        if (gpu_gives_way(g, own, general)) *w = any;
    }
    if (mine.shape.tensor && lanes_give_way(g, mine.shape.lanes, any.shape.lanes)) *w = any;
}

void gpu_want_spread(const nufft_gpu *g, int vectors)
{
    char key[GPU_KEY];
    const spreading w = {.shape = gpu_shape_of(g, vectors)};
    if (gpu_tiles_serve(g, vectors)) {
        gpu_want_tiles(g);
        return;
    }
    print_spread(key, g, &w, vectors, false);
    kernels_want(g->device, (const char *const[]){key}, 1);
}

argand_status gpu_spread(nufft_gpu *g, argand_array *grid, const gpu_samples *s)
{
    if (gpu_tiles_serve(g, s->vectors)) {
        struct nufft_params of_tiles = gpu_samples_params(g, s, NULL);
        return gpu_spread_tiles(g, grid, s, &of_tiles);
    }
    spreading w = {.shape = gpu_shape_of(g, s->vectors)};
    TRY(gpu_blocks_for(&w.b, g, s->vectors));
    choose_kernels(&w, g, s->vectors);
    const struct nufft_params p = gpu_samples_params(g, s, w.b);
    const argand_status status = spread_blocks(g, &w, grid, s, &p);
    storage_release(w.partial);
    storage_release(w.scales);
    storage_release(w.samples);
    return status;
}
