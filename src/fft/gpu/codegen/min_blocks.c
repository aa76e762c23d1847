/* SPDX-License-Identifier: BSD-3-Clause */
/* How many groups a multiprocessor is to hold: what their registers leave room for, and what the compiler is
 * told. */
#include "fft/gpu/codegen/shared_memory.h"

/* Groups that a multiprocessor of 65536 registers can hold, so that one loads while another computes. An item
 * needs its points and a dozen addresses at least. */
static int registers_hold(const box_shape *s, const box_limits *l)
{
    const int warps = (s->items + 31) / 32, numbers = 2 * s->values * (l->is_double ? 2 : 1),
              many = s->fused.kind && numbers > 30 ? 30 : numbers,
              extra = s->fused.kind || s->chirp || s->out_kind == OUT_HALF_PACKED ? many : 12,
              registers = (numbers + extra + 7) / 8 * 8, groups = 65536 / (registers * 32 * warps);
    return groups < 1 ? 1 : groups;
}

/* As many of them as one wants: 40 warps, but two groups. */
int shape_groups(const box_shape *s, const box_limits *l)
{
    const int warps = (s->items + 31) / 32, wanted = 2 * warps > 40 ? 2 : 40 / warps,
              held = registers_hold(s, l);
    return held < wanted ? held : wanted;
}

/* Lines of one prime radix above 16, which take some forty registers beside the points, but get many more. */
static bool three_hold_prime(const box_shape *s, const box_limits *l)
{
    const int warps = (s->items + 31) / 32, numbers = 2 * s->values * (l->is_double ? 2 : 1);
    return s->stages == 3 && s->stage[1].radix > 16 && s->stage[1].radix != 25 && s->stage[0].radix == 1 &&
           s->stage[2].radix == 1 && 65536 / (3 * 32 * warps) / 8 * 8 >= numbers + 40;
}

/* Chains would have all their numbers in registers beside the points: not more than 64 words an item of
 * single precision, as the passes have without, and some more where there are two transforms. */
static int access_groups(const box_shape *s, const box_limits *l)
{
    if (l->tuning.min_blocks && !s->mirror) return l->tuning.min_blocks; /* X[-k] takes registers, too */
    const int items = (l->is_double ? 512 : 1024) / 4 * (s->access[2].on ? 3 : 4), held = shape_groups(s, l),
              groups = held < items / s->items ? held : items / s->items;
    /* two of 512 items there and back: 4 % at 1024 x 1024 on an H200; but where more than that happens they
     * would spill */
    const bool turns = s->access[2].on && s->items == 512 && held > 1 && !s->ragged && !s->mirror &&
                       !s->access[0].spans && !s->access[1].spans;
    return groups > 1 ? groups : turns ? 2 : 0;
}

/* What the compiler is asked for: of itself it gives items of large groups so many registers that there is no
 * room for a second one. Where there is room for three it knows better, but for Rader's lines, where it takes
 * what their tables' numbers would fill (178 registers at 337 points). */
int shape_resident(const box_shape *s, const box_limits *l, size_t shared_bytes)
{
    if (box_has_access(s)) return access_groups(s, l);
    if (l->tuning.min_blocks) return l->tuning.min_blocks;
    if (three_hold_prime(s, l)) return 3;
    if (s->fused.kind == FUSED_RADER && s->items <= 512 && s->values <= 16) return shape_groups(s, l);
    if (s->fused.kind == FUSED_RADER && s->items <= 512 && s->values < 20 && !l->is_double) {
        const int all = 65536 / ((s->items + 31) / 32 * 32), groups = all / (2 * s->values + 42);
        return groups > 1 ? groups : all / (2 * s->values + 24);
    }
    if (s->fused.kind == FUSED_RADER && s->items <= 512 && s->values >= 20 && registers_hold(s, l) > 1)
        return 2;
    return s->items > 256 && registers_hold(s, l) == 2 &&
                   2 * (int64_t)(shared_bytes + 1024) <= l->shared_bytes
               ? 2
               : 0;
}
