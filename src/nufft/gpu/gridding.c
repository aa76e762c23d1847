/* SPDX-License-Identifier: BSD-3-Clause */
/* Between samples and the oversampled grid. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

static const char *real_name(const nufft_gpu *g)
{
    return g->is_double ? "double" : "float";
}

static struct nufft_params params_of(const nufft_gpu *g, const gpu_samples *s, const gpu_blocks *b)
{
    struct nufft_params p = gpu_params(g);
    p.vectors = s->vectors;
    p.samples = 2 * (s->array->offset + s->offset);
    p.stride = 2 * s->array->strides[0];
    p.vector_stride = 2 * s->vector_stride;
    for (int axis = 0; b && axis < 3; axis++) p.blocks[axis] = b->blocks[axis];
    return p;
}

static argand_status sort_samples(storage **sorted, const nufft_gpu *g, const gpu_samples *s,
                                  const struct nufft_params *p)
{
    char key[GPU_KEY];
    const size_t number = g->is_double ? 16 : 8;
    TRY(storage_scratch(sorted, g->device, (size_t)(g->count + 1) * (size_t)s->vectors * number));
    snprintf(key, sizeof key, "nufft_sort_samples REAL=%s", real_name(g));
    return gpu_start(g, key, (g->count + 31) / 32, (storage *const[]){*sorted, s->array->storage, g->order},
                     3, p);
}

/* The powers of two that halves of 11 bits want, of each lane */
static argand_status find_scales(storage *scales, const nufft_gpu *g, const gpu_samples *s, int lanes,
                                 const struct nufft_params *p)
{
    char key[GPU_KEY];
    storage *extents;
    TRY(storage_scratch(&extents, g->device, (size_t)s->vectors * NUFFT_EXTENTS * sizeof(float)));
    argand_status status = gpu_start(g, "nufft_extent REAL=float", s->vectors * NUFFT_EXTENTS,
                                     (storage *const[]){extents, s->array->storage}, 2, p);
    snprintf(key, sizeof key, "nufft_scale REAL=float LANES=%d ITEMS=32", lanes);
    if (status == ARGAND_OK) status = gpu_start(g, key, lanes, (storage *const[]){scales, extents}, 2, p);
    storage_release(extents);
    return status;
}

static argand_status split_samples(storage **rows, storage **scales, const nufft_gpu *g, const gpu_samples *s,
                                   int lanes, const struct nufft_params *p)
{
    char key[GPU_KEY];
    TRY(storage_scratch(rows, g->device, (size_t)(g->count + 1) * (size_t)lanes * 8));
    TRY(storage_scratch(scales, g->device, 2 * (size_t)lanes * sizeof(float)));
    if (!g->tensor_brief) TRY(find_scales(*scales, g, s, lanes, p));
    snprintf(key, sizeof key, "nufft_split_samples REAL=float LANES=%d TENSOR_BRIEF=%d", lanes,
             g->tensor_brief);
    return gpu_start(g, key, (g->count + 31) / 32, (storage *const[]){*rows, s->array->storage, *scales}, 3,
                     p);
}

static int rows_of(const gpu_shape *s)
{
    return s->segments * s->y * s->z;
}

static void print_spread(char *key, size_t size, const nufft_gpu *g, const gpu_shape *shape, int vectors,
                         bool is_part)
{
    enum { TENSOR_ITEMS = 128 };
    char blocks[GPU_KEY / 2];
    gpu_shape_print(blocks, sizeof blocks, g, shape);
    if (shape->tensor)
        snprintf(key, size,
                 "nufft_spread_tensor REAL=float %s TERMS=%d LANES=%d FULL=%d BATCH=%d "
                 "TENSOR_BRIEF=%d PART=%d ITEMS=%d",
                 blocks, g->terms, shape->lanes, vectors == shape->lanes, GPU_BATCH, g->tensor_brief, is_part,
                 TENSOR_ITEMS);
    else
        snprintf(key, size, "nufft_spread REAL=%s %s TERMS=%d LANES=%d FULL=%d BATCH=%d PART=%d ITEMS=%d",
                 real_name(g), blocks, g->terms, shape->lanes, vectors == shape->lanes,
                 shape->segments > 8 ? GPU_BATCH / 2 : GPU_BATCH, is_part, shape->lanes * rows_of(shape));
}

/* What spreading works on: blocks, samples (rows of halves with their scales, or sorted), parts' sums */
typedef struct spreading {
    gpu_shape shape;
    gpu_blocks *b;
    storage *samples, *scales, *partial;
} spreading;

/* One launch: of all blocks, or of the parts of crowded ones */
static argand_status start_spread(const nufft_gpu *g, const spreading *w, bool is_part, storage *to,
                                  const struct nufft_params *p)
{
    char key[GPU_KEY];
    const gpu_blocks *b = w->b;
    storage *const memory[12] = {to,         w->samples, g->u,
                                 g->keys,    g->row,     g->coefficients,
                                 b->crowded, b->found,   w->partial && !is_part ? w->partial : w->samples,
                                 b->part,    g->order,   w->scales};
    print_spread(key, sizeof key, g, &w->shape, p->vectors, is_part);
    return gpu_start(g, key, is_part ? b->parts : b->count, memory, w->shape.tensor ? 12 : 10, p);
}

static argand_status spread_blocks(const nufft_gpu *g, spreading *w, argand_array *grid, const gpu_samples *s,
                                   const struct nufft_params *p)
{
    const int kept = w->shape.tensor ? w->shape.lanes : s->vectors;
    const size_t block = ((size_t)rows_of(&w->shape) << NUFFT_TILE_X) * (size_t)kept;
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
        struct nufft_params of_tiles = params_of(g, s, NULL);
        return gpu_spread_tiles(g, grid, s, &of_tiles);
    }
    spreading w = {.shape = gpu_shape_of(g, s->vectors)};
    TRY(gpu_blocks_for(&w.b, g, s->vectors));
    const struct nufft_params p = params_of(g, s, w.b);
    const argand_status status = spread_blocks(g, &w, grid, s, &p);
    storage_release(w.partial);
    storage_release(w.scales);
    storage_release(w.samples);
    return status;
}

enum { ITEMS = 128 };

/* Points of a group: whose weights fit in shared memory, which the nearest cache is the rest of; fewer where
 * there would be too few groups for all multiprocessors. */
static int interpolated_at_once(const nufft_gpu *g)
{
    enum { MOST_BYTES = 12 << 10, LEAST_GROUPS = 2048 };
    const int point = g->rank * (g->width * (g->is_double ? 8 : 4) + 4);
    int batch = 128;
    while (batch > GPU_BATCH && (batch * point > MOST_BYTES || g->count < batch * (int64_t)LEAST_GROUPS))
        batch /= 2;
    return batch;
}

/* Points that share the reading of their cells: as many as are in a cell, and as registers hold the weights
 * of. */
static int seen_together(const nufft_gpu *g)
{
    enum { MOST_WEIGHTS = 256 };
    int together = g->count >= g->cells ? 4 : 4 * g->count >= g->cells ? 2 : 1;
    while (together > 1 && together * g->width * (g->is_double ? 8 : 4) > MOST_WEIGHTS) together /= 2;
    return together;
}

/* Few vectors: items next to each other have a point's cells along x, unless neighbouring points are so near
 * to each other that theirs lie together anyway. */
static void print_interpolate(char *key, size_t size, const nufft_gpu *g, int vectors)
{
    char common[GPU_KEY / 2];
    const int lanes = gpu_lanes(vectors), wide = lanes > 2 ? 8 : 16;
    snprintf(common, sizeof common, "REAL=%s RANK=%d WIDTH=%d TERMS=%d BATCH=%d ITEMS=%d LANES=%d FULL=%d",
             real_name(g), g->rank, g->width, g->terms, interpolated_at_once(g), ITEMS, lanes,
             vectors == lanes);
    if (lanes >= 8 || g->count >= g->cells)
        snprintf(key, size, "nufft_interpolate %s TOGETHER=%d", common, lanes >= 8 ? seen_together(g) : 1);
    else
        snprintf(key, size, "nufft_interpolate_few %s SPLIT=%d", common,
                 g->width <= 4   ? 4
                 : g->width <= 8 ? 8
                                 : wide);
}

static argand_status start_interpolate(const nufft_gpu *g, storage *to, const argand_array *grid,
                                       const struct nufft_params *p)
{
    char key[GPU_KEY];
    const int batch = interpolated_at_once(g);
    storage *const memory[6] = {to, grid->storage, g->u, g->keys, g->order, g->coefficients};
    print_interpolate(key, sizeof key, g, p->vectors);
    return gpu_start(g, key, (g->count + batch - 1) / batch, memory, 6, p);
}

static atomic_size_t scattered_bytes = 16 << 20;

void argand_test_nufft_scattered_bytes(size_t bytes)
{
    scattered_bytes = bytes ? bytes : 16 << 20;
}

/* Points come in an order of their own, so that numbers of the caller's vectors are written one by one all
 * over memory. Where the second-level cache does not collect them, whole rows of vectors are written instead
 * and dealt to the vectors afterwards. */
static bool wants_rows(const nufft_gpu *g, const gpu_samples *s)
{
    enum { LEAST_ROW = 64 };
    const size_t row = (size_t)s->vectors * (g->is_double ? 16 : 8);
    return row >= LEAST_ROW && s->vector_stride != 1 && (size_t)g->count * row > scattered_bytes;
}

argand_status gpu_interpolate(nufft_gpu *g, const gpu_samples *s, const argand_array *grid)
{
    char key[GPU_KEY];
    storage *rows;
    const struct nufft_params p = params_of(g, s, NULL);
    if (!wants_rows(g, s)) return start_interpolate(g, s->array->storage, grid, &p);
    struct nufft_params to_rows = p;
    to_rows.samples = 0;
    to_rows.stride = 2 * s->vectors;
    to_rows.vector_stride = 2;
    TRY(storage_scratch(&rows, g->device, (size_t)g->count * (size_t)s->vectors * (g->is_double ? 16 : 8)));
    argand_status status = start_interpolate(g, rows, grid, &to_rows);
    snprintf(key, sizeof key, "nufft_deal_samples REAL=%s", real_name(g));
    if (status == ARGAND_OK)
        status = gpu_start(g, key, (g->count + 31) / 32, (storage *const[]){s->array->storage, rows}, 2, &p);
    storage_release(rows);
    return status;
}
