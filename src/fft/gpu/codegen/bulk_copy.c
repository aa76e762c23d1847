/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether bulk copies move whole tiles (kernels/fft/persistent/bulk.krn). */
#include "fft/gpu/codegen/shared_memory.h"

/* Returns true if a tile of complex elements is contiguous in global memory. */
static bool has_no_gaps(const tile_pass *pass, int operand)
{
    const tile_shape *s = &pass->shape;
    const int64_t *stride = pass->params.stride[operand];
    const bool half = operand ? s->out_kind == OUT_HALF_PACKED : s->in_kind == IN_HALF_PACKED,
               whole = operand ? s->out_kind == OUT_COMPLEX : s->in_kind == IN_COMPLEX;
    return (whole || (half && s->mirrored == 1)) && stride[0] == 1 &&
           (s->size[1] == 1 || stride[1] == s->size[0] + half);
}

void bulk_copy_choose(tile_pass *pass, const block_limits *l)
{
    tile_shape *s = &pass->shape;
    const bool plain =
        !tile_convolves(s) && !s->chirp && !s->twiddle && !tile_has_access(s) && !s->in_fast && !s->out_fast;
    /* rows of half spectra are not aligned, so that bulk stores gain 2 to 3 % (H200, 256 to 4096 reals) */
    enum { HALF_SPECTRA = 4, FEW = 4096 };
    const int elements = 2 * ((s->size[0] + 1) * s->size[1] + 2),
              operands = l->tuning.bulk_copy != HALF_SPECTRA
                             ? l->tuning.bulk_copy
                             : s->out_kind == OUT_HALF_PACKED && tile_points(s) <= FEW;
    if (!operands || !l->cluster || !plain || s->stages < 2 || s->size[2] > 1 || !s->lines ||
        (int64_t)elements * l->element_bytes / 2 > l->shared_bytes)
        return;
    for (int operand = 0; operand < 2; operand++)
        if (operands & 2 >> operand && has_no_gaps(pass, operand)) s->bulk_copy |= 2 >> operand;
    if (s->bulk_copy & 2) s->prefetch_distance = 0;
    if (s->bulk_copy && s->shared_elements < elements) s->shared_elements = elements;
}
