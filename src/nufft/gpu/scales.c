/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers of two by which each vector fits into halves of 11 bits, as these reach from 2^-24 to 2^16. */
#include "nufft/gpu/gpu.h"

#include <stdio.h>

void gpu_print_scale(char key[GPU_KEY], bool sum, int lanes)
{
    snprintf(key, GPU_KEY, "nufft_scale REAL=float SUM=%d LANES=%d ITEMS=32", sum, lanes);
}

static argand_status scales_of(storage *scales, const nufft_gpu *g, storage *numbers, int lanes, bool sum,
                               int parts, const struct nufft_params *p)
{
    char key[GPU_KEY];
    storage *extents;
    TRY(storage_scratch(&extents, g->device,
                        (size_t)(p->rounds * p->vectors) * NUFFT_EXTENTS * sizeof(float)));
    snprintf(key, sizeof key, "nufft_extent REAL=float SUM=%d PARTS=%d", sum, parts);
    argand_status status =
        gpu_start(g, key, p->vectors * NUFFT_EXTENTS, (storage *const[]){extents, numbers}, 2, p);
    gpu_print_scale(key, sum, lanes);
    if (status == ARGAND_OK) status = gpu_start(g, key, lanes, (storage *const[]){scales, extents}, 2, p);
    storage_release(extents);
    return status;
}

argand_status gpu_scales(storage *scales, const nufft_gpu *g, const gpu_samples *s, int lanes,
                         const struct nufft_params *p)
{
    return scales_of(scales, g, s->array->storage, lanes, false, 2, p);
}

/* No cell exceeds the sum of the image's |pixels|, times what deapodising makes of any. Cells are about as
 * large as the root of the sum of squares, which is smaller by at most the root of the number of pixels:
 * both have many of a half's 40 binary digits. */
argand_status gpu_scales_of_image(storage **scales, const nufft_gpu *g, const argand_array *image,
                                  int64_t first, int vectors, int rounds)
{
    const int lanes = gpu_tensor_lanes(vectors), parts = gpu_image_parts(g);
    struct nufft_params p = gpu_params(g);
    p.vectors = vectors;
    p.rounds = rounds;
    p.points = g->pixels;
    p.samples = parts * (image->offset + first);
    p.stride = parts;
    p.vector_stride = parts * g->pixels;
    p.shift = g->deapodise_exponent;
    TRY(storage_scratch(scales, g->device, 2 * (size_t)(rounds * lanes) * sizeof(float)));
    const argand_status status = scales_of(*scales, g, image->storage, lanes, true, parts, &p);
    if (status != ARGAND_OK) storage_release(*scales);
    return status;
}
