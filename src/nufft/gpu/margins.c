/* SPDX-License-Identifier: BSD-3-Clause */
/* Margins of half a grid (kernels/nufft/margins.krn). */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

static argand_status start(const nufft_gpu *g, const char *name, argand_array *grid, int64_t count,
                           int vectors, int rounds)
{
    char key[GPU_KEY];
    struct nufft_params p = gpu_params(g);
    p.vectors = vectors;
    p.rounds = rounds;
    snprintf(key, sizeof key, "%s REAL=%s WIDTH=%d CHUNK=%d", name, gpu_real_name(g), g->width, GPU_CHUNK);
    return gpu_start(g, key, (count * vectors + GPU_CHUNK - 1) / GPU_CHUNK, &grid->storage, 1, &p);
}

argand_status gpu_fill_margins(const nufft_gpu *g, argand_array *grid, int vectors, int rounds)
{
    const int64_t margin = g->grid[0] - g->full / 2 - 1;
    return g->full ? start(g, "nufft_fill_margins", grid, g->grid[1] * g->grid[2] * margin, vectors, rounds)
                   : ARGAND_OK;
}

argand_status gpu_add_margins(const nufft_gpu *g, argand_array *grid, int vectors, int rounds)
{
    return g->full ? start(g, "nufft_add_margins", grid, g->grid[1] * g->grid[2], vectors, rounds)
                   : ARGAND_OK;
}
