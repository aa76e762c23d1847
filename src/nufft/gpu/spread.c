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

static argand_status split_samples(storage **rows, storage **scales, const nufft_gpu *g, const gpu_samples *s,
                                   int lanes, const struct nufft_params *p)
{
    char key[GPU_KEY];
    TRY(storage_scratch(rows, g->device, (size_t)(g->count + 1) * (size_t)(s->rounds * lanes) * 8));
    TRY(storage_scratch(scales, g->device, 2 * (size_t)(s->rounds * lanes) * sizeof(float)));
    if (!g->tensor_brief) TRY(gpu_scales(*scales, g, s, lanes, p));
    snprintf(key, sizeof key, "nufft_split_samples REAL=float LANES=%d TENSOR_BRIEF=%d", lanes,
             g->tensor_brief);
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

/* full: of as many vectors as lanes, which are not asked for their vector. terms: of the window */
static void print_spread(char key[GPU_KEY], const nufft_gpu *g, const gpu_shape *shape, bool full, int terms,
                         bool is_part)
{
    enum { TENSOR_ITEMS = 128 };
    char blocks[GPU_KEY / 2];
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

/* Temporary arrays of spreading: blocks; samples, as rows of halves with scales or sorted; sums of parts */
typedef struct spreading {
    gpu_shape shape;
    gpu_blocks *b;
    storage *samples, *scales, *partial;
} spreading;

/* One launch: of all blocks, or of the parts of crowded ones */
static argand_status start_spread(const nufft_gpu *g, const spreading *w, bool is_part, storage *to,
                                  const struct nufft_params *p)
{
    char own[GPU_KEY], general[GPU_KEY];
    const gpu_blocks *b = w->b;
    print_spread(own, g, &w->shape, p->vectors == w->shape.lanes, g->terms, is_part);
    print_spread(general, g, &w->shape, w->shape.lanes <= 2, g->most_terms, is_part);
    const bool any = gpu_gives_way(g, own, general);
    storage *const memory[12] = {to,         w->samples, g->u,
                                 g->keys,    g->row,     any ? g->most_coefficients : g->coefficients,
                                 b->crowded, b->found,   w->partial && !is_part ? w->partial : w->samples,
                                 b->part,    g->order,   w->scales};
    return gpu_start(g, any ? general : own, is_part ? b->parts : b->count, memory, w->shape.tensor ? 12 : 10,
                     p);
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

argand_status gpu_spread(nufft_gpu *g, argand_array *grid, const gpu_samples *s)
{
    if (gpu_tiles_serve(g, s->vectors)) {
        struct nufft_params of_tiles = gpu_samples_params(g, s, NULL);
        return gpu_spread_tiles(g, grid, s, &of_tiles);
    }
    spreading w = {.shape = gpu_shape_of(g, s->vectors)};
    TRY(gpu_blocks_for(&w.b, g, s->vectors));
    const struct nufft_params p = gpu_samples_params(g, s, w.b);
    const argand_status status = spread_blocks(g, &w, grid, s, &p);
    storage_release(w.partial);
    storage_release(w.scales);
    storage_release(w.samples);
    return status;
}
