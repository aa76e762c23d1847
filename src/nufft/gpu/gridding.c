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

static int rows_of(const gpu_shape *s)
{
    return s->segments * s->y * s->z;
}

/* One launch: of all blocks, or of the parts of crowded ones */
static argand_status start_spread(const nufft_gpu *g, const gpu_blocks *b, bool is_part, storage *to,
                                  storage *sorted, storage *partial, const struct nufft_params *p)
{
    char shape[GPU_KEY / 2], key[GPU_KEY];
    const int items = b->shape.lanes * rows_of(&b->shape);
    storage *const memory[10] = {to,         sorted,   g->u,    g->keys, g->row, g->coefficients,
                                 b->crowded, b->found, partial, b->part};
    gpu_shape_print(shape, sizeof shape, g, &b->shape);
    snprintf(key, sizeof key, "nufft_spread REAL=%s %s TERMS=%d LANES=%d FULL=%d BATCH=%d PART=%d ITEMS=%d",
             real_name(g), shape, g->terms, b->shape.lanes, p->vectors == b->shape.lanes,
             b->shape.segments > 8 ? GPU_BATCH / 2 : GPU_BATCH, is_part, items);
    return gpu_start(g, key, is_part ? b->parts : b->count, memory, 10, p);
}

argand_status gpu_spread(nufft_gpu *g, argand_array *grid, const gpu_samples *s)
{
    gpu_blocks *b;
    storage *sorted = NULL, *partial = NULL;
    argand_status status;
    if (gpu_tiles_serve(g, s->vectors)) {
        struct nufft_params of_tiles = params_of(g, s, NULL);
        return gpu_spread_tiles(g, grid, s, &of_tiles);
    }
    TRY(gpu_blocks_for(&b, g, s->vectors));
    const struct nufft_params p = params_of(g, s, b);
    TRY_OR_DONE(sort_samples(&sorted, g, s, &p));
    if (b->parts) {
        const size_t block = ((size_t)rows_of(&b->shape) << NUFFT_TILE_X) * (size_t)s->vectors;
        TRY_OR_DONE(storage_scratch(&partial, g->device, (size_t)b->parts * block * (g->is_double ? 16 : 8)));
        TRY_OR_DONE(start_spread(g, b, true, partial, sorted, sorted, &p));
    }
    status = start_spread(g, b, false, grid->storage, sorted, partial ? partial : sorted, &p);
done:
    storage_release(partial);
    storage_release(sorted);
    return status;
}

/* Points of a group: whose weights fit in shared memory */
static int interpolated_at_once(const nufft_gpu *g, int lanes)
{
    enum { MOST_BYTES = 24 << 10 };
    const int point = g->rank * (g->width * (g->is_double ? 8 : 4) + 4);
    int batch = lanes > 4 ? GPU_BATCH : 128 / lanes;
    while (batch * point > MOST_BYTES) batch /= 2;
    return batch;
}

argand_status gpu_interpolate(nufft_gpu *g, const gpu_samples *s, const argand_array *grid)
{
    char key[GPU_KEY];
    const struct nufft_params p = params_of(g, s, NULL);
    const int lanes = gpu_shape_of(g->rank, g->width, s->vectors).lanes;
    const int batch = interpolated_at_once(g, lanes);
    storage *const memory[6] = {s->array->storage, grid->storage, g->u, g->keys, g->order, g->coefficients};
    snprintf(key, sizeof key,
             "nufft_interpolate REAL=%s RANK=%d WIDTH=%d TERMS=%d LANES=%d FULL=%d BATCH=%d ITEMS=128",
             real_name(g), g->rank, g->width, g->terms, lanes, s->vectors == lanes, batch);
    return gpu_start(g, key, (g->count + batch - 1) / batch, memory, 6, &p);
}
