/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes by a few persistent blocks, which fetch the next tile while they compute the present one
 * (kernels/fft/persistent/blocks.krn). Decides which passes may use them, and how much of the next tile
 * has shared memory of its own. */
#include "fft/gpu/codegen/shared_memory.h"

#include <stdlib.h>

/* Returns the points of a row if rows are copied one by one (STREAM_ROWS), because they run along the
 * second dimension or have gaps between them; 0: the tile is copied as a whole. */
static int row_of(const tile_shape *s)
{
    return s->in_fast == 1 ? s->size[1] : s->size[1] > 1 && !(s->unit & 4) ? s->size[0] : 0;
}

/* Returns true if rows can be copied one by one: either all of them are aligned to 16 bytes, or none is. */
static bool has_rows(const tile_pass *pass)
{
    const tile_shape *s = &pass->shape;
    enum { LEAST = 256 }; /* points; one thread requests all rows */
    const int along = s->in_fast == 1;
    return row_of(s) >= LEAST && s->in_kind == IN_COMPLEX && pass->params.stride[0][along] == 1 &&
           pass->params.stride[0][1 - along] % 2 == 0 && s->size[along] % 2 == 0 && !s->ragged &&
           s->in_fast < 2 && s->size[2] == 1;
}

/* Returns true if a tile is contiguous in global memory, or its rows are. */
static bool is_whole(const tile_pass *pass)
{
    const tile_shape *s = &pass->shape;
    const int64_t *stride = pass->params.stride[0], each = s->in_kind == IN_PAIRS ? 2 : 1;
    if (row_of(s)) return has_rows(pass);
    return stride[0] == each && (s->size[1] == 1 || stride[1] == each * s->size[0]) && s->size[2] == 1 &&
           s->lines != 0;
}

/* Returns true if a tile that is copied as a whole may be shifted on load: the points of a butterfly must
 * keep their stride. */
static bool may_rotate(const tile_shape *s)
{
    const tile_stage *first = &s->stage[0];
    if (row_of(s)) return false;
    for (int d = 0; d < 3; d++)
        if (d == first->axis ? s->shift[0][d] % (s->size[d] / first->radix) : s->shift[0][d]) return false;
    return true;
}

/* Returns true for tiles that are copied unchanged and use shared memory for exchanges only. */
static bool may_persist_blocks(const tile_pass *pass, const block_limits *l)
{
    const tile_shape *s = &pass->shape;
    const bool loads = s->in_kind == IN_COMPLEX || (s->in_kind == IN_PAIRS && s->adjacent & 1),
               stores = s->out_kind == OUT_COMPLEX || (s->out_kind == OUT_HALF_PACKED && s->mirrored == 1);
    return l->tuning.persistent_blocks && l->cluster && l->units && is_whole(pass) && loads && stores &&
           s->stages > 1 && !tile_convolves(s) && (!s->rotate || may_rotate(s)) && !s->chirp &&
           !tile_has_access(s);
}

/* Returns the bytes of shared memory: the first points of the next tile lie next to the exchange area of
 * the present one. */
static int64_t persistent_bytes(const tile_shape *s, const block_limits *l)
{
    const int row = row_of(s);
    return (int64_t)(s->split + 2 * (row ? s->split / row : 1)) * l->element_bytes +
           (int64_t)s->shared_elements * (l->element_bytes / 2);
}

/* Returns the persistent blocks that a multiprocessor can hold. Their loop needs more registers than a
 * single tile. */
static int persistent_groups(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32,
              registers_held = 2 * s->points_per_thread * (l->is_double ? 2 : 1),
              registers = (registers_held + s->points_per_thread + 12 + 7) / 8 * 8,
              by_registers = registers * 32 * warps < 32768 ? 65536 / (registers * 32 * warps) : 1;
    const int64_t by_shared =
        (l->shared_bytes + SHARED_LEFT) / (persistent_bytes(s, l) + SHARED_OF_EACH + 64);
    return by_shared < by_registers ? (int)by_shared : by_registers;
}

/* If not all of the next tile fits in shared memory, reserves space for as many points of every thread's
 * first butterfly as fit. */
static void split_persistent(tile_shape *s, const block_limits *l)
{
    const tile_stage *first = &s->stage[0];
    const int row = row_of(s), distance = row ? row : tile_points(s) / first->radix;
    const bool known = row || s->size[1] == 1 || first->axis == 1;
    s->split = tile_points(s);
    while (known && s->split > tile_points(s) / 2 && !persistent_groups(s, l)) {
        s->split -= distance;
        if (s->split % 2) s->split -= distance;
    }
}

/* Exchanges both parts together if as many blocks fit as otherwise. */
bool persistent_blocks_make(tile_pass *pass, const block_limits *l)
{
    if (!may_persist_blocks(pass, l)) return false;
    tile_shape *s = &pass->shape, pairs = *s;
    pairs.exchange_mode = 3;
    banks_choose(&pairs, l->is_double);
    split_persistent(s, l);
    split_persistent(&pairs, l);
    if (l->tuning.exchange_mode != 1 &&
        persistent_groups(&pairs, l) >= (l->tuning.exchange_mode == 3 ? 1 : persistent_groups(s, l)))
        *s = pairs;
    const int fit = persistent_groups(s, l);
    const bool few = l->tuning.persistent_blocks == 2;
    if (fit < 1 || (!few && pass->blocks < 2 * l->units * fit)) return false;
    s->persistent_blocks = few ? 2 : l->units * fit;
    s->min_blocks = fit;
    pass->shared_bytes = (size_t)persistent_bytes(s, l);
    return true;
}
