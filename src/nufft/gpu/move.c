/* SPDX-License-Identifier: BSD-3-Clause */
/* Images and grids between the caller's order and ours. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

static argand_status start(const nufft_gpu *g, struct nufft_move_params *p, int parts, argand_array *ours,
                           const argand_array *caller, int64_t first)
{
    char key[GPU_KEY];
    p->caller = caller->offset + first;
    p->cells = p->size[0] * p->size[1] * p->size[2];
    storage *const memory[2] = {p->to_caller ? caller->storage : ours->storage,
                                p->to_caller ? ours->storage : caller->storage};
    snprintf(key, sizeof key, "nufft_move REAL=%s CHUNK=%d PARTS=%d", gpu_real_name(g), GPU_CHUNK, parts);
    return kernel_start(g->device, &(kernel_run){.key = key,
                                                 .groups = (p->cells + GPU_CHUNK - 1) / GPU_CHUNK,
                                                 .memory = memory,
                                                 .memory_count = 2,
                                                 .params = p,
                                                 .params_bytes = sizeof *p});
}

argand_status gpu_move_image(nufft_gpu *g, argand_array *centred, const argand_array *caller, int64_t first,
                             int vectors, bool to_caller)
{
    struct nufft_move_params p = {
        .cell_stride = 1, .vector_stride = g->pixels, .vectors = vectors, .to_caller = to_caller};
    for (int axis = 0; axis < 3; axis++) {
        p.size[axis] = g->n[axis];
        p.shift[axis] = (g->n[axis] - g->n[axis] / 2) % g->n[axis];
    }
    return start(g, &p, gpu_image_parts(g), centred, caller, first);
}

argand_status gpu_move_grid(nufft_gpu *g, argand_array *grid, const argand_array *caller, int64_t first,
                            int vectors, bool is_centred, bool to_caller)
{
    struct nufft_move_params p = {
        .cell_stride = vectors, .vector_stride = 1, .vectors = vectors, .to_caller = to_caller};
    for (int axis = 0; axis < 3; axis++) {
        p.size[axis] = g->grid[axis];
        p.shift[axis] = is_centred ? g->grid[axis] / 2 : 0;
    }
    return start(g, &p, 2, grid, caller, first);
}
