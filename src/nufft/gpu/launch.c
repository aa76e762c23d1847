/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts kernels on a plan's points: their parameters, and the names and choices in their keys. */
#include "nufft/gpu/gpu.h"

struct nufft_params gpu_params(const nufft_gpu *g)
{
    struct nufft_params p = {.points = g->count, .vectors = 1, .rounds = 1, .full = g->full};
    for (int axis = 0; axis < 3; axis++) {
        p.n[axis] = g->n[axis];
        p.grid[axis] = g->grid[axis];
        p.tiles[axis] = g->tiles[axis];
        p.blocks[axis] = 1;
    }
    return p;
}

static argand_status start(const nufft_gpu *g, const char *key, int64_t groups, storage *const *memory,
                           int memory_count, const struct nufft_params *params, bool overlaps)
{
    if (groups == 0) return ARGAND_OK;
    return kernel_start(g->device, &(kernel_run){.key = key,
                                                 .groups = groups * params->rounds,
                                                 .memory = memory,
                                                 .memory_count = memory_count,
                                                 .params = params,
                                                 .params_bytes = sizeof *params,
                                                 .overlaps = overlaps});
}

argand_status gpu_start(const nufft_gpu *g, const char *key, int64_t groups, storage *const *memory,
                        int memory_count, const struct nufft_params *params)
{
    return start(g, key, groups, memory, memory_count, params, false);
}

argand_status gpu_start_early(const nufft_gpu *g, const char *key, int64_t groups, storage *const *memory,
                              int memory_count, const struct nufft_params *params)
{
    return start(g, key, groups, memory, memory_count, params, g->overlaps);
}

bool gpu_gives_way(const nufft_gpu *g, const char *own, const char *general)
{
    if (g->waits && !device_traits_of(g->device)->rehearses_first) return false;
    if (!kernel_gives_way(g->device, own, general)) return false;
    const char *failure = kernel_failure(g->device, own);
    if (failure) atomic_store(&((nufft_gpu *)g)->failure, failure);
    return true;
}

const char *gpu_real_name(const nufft_gpu *g)
{
    return g->is_double ? "double" : "float";
}

int gpu_image_parts(const nufft_gpu *g)
{
    return g->full ? 1 : 2;
}

struct nufft_params gpu_samples_params(const nufft_gpu *g, const gpu_samples *s, const gpu_blocks *b)
{
    struct nufft_params p = gpu_params(g);
    p.vectors = s->vectors;
    p.rounds = s->rounds;
    p.samples = 2 * (s->array->offset + s->offset);
    p.stride = 2 * s->array->strides[0];
    p.vector_stride = 2 * s->vector_stride;
    for (int axis = 0; b && axis < 3; axis++) p.blocks[axis] = b->blocks[axis];
    return p;
}
