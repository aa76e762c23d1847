/* SPDX-License-Identifier: BSD-3-Clause */
/* How many blocks a multiprocessor is to hold: how many their registers allow, and what the compiler is
 * given. */
#include "fft/gpu/codegen/shared_memory.h"

/* Blocks that a multiprocessor of 65536 registers can hold, so that one loads while another computes. A
 * thread needs its points and a dozen addresses at least. */
static int registers_hold(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32,
              registers_held = 2 * s->points_per_thread * (l->is_double ? 2 : 1),
              many = s->convolution.kind && registers_held > 30 ? 30 : registers_held,
              extra = s->convolution.kind || s->chirp || s->out_kind == OUT_HALF_PACKED ? many : 12,
              registers = (registers_held + extra + 7) / 8 * 8, blocks = 65536 / (registers * 32 * warps);
    return blocks < 1 ? 1 : blocks;
}

/* As many of them as one wants: 40 warps, but two blocks. */
int tile_blocks(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32, wanted = 2 * warps > 40 ? 2 : 40 / warps,
              held = registers_hold(s, l);
    return held < wanted ? held : wanted;
}

/* Lines of one prime radix above 16, which take some forty registers besides the points, but get many
 * more. */
static bool three_hold_prime(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32,
              registers_held = 2 * s->points_per_thread * (l->is_double ? 2 : 1);
    return s->stages == 3 && s->stage[1].radix > 16 && s->stage[1].radix != 25 && s->stage[0].radix == 1 &&
           s->stage[2].radix == 1 && 65536 / (3 * 32 * warps) / 8 * 8 >= registers_held + 40;
}

/* Forward and back, single precision: three blocks, of which one loads, one computes and one stores (four
 * were slower), or what registers hold: two for an element, 28 for all else (nothing on the stack with 13 to
 * 20 elements). */
int there_and_back_blocks(int threads, int held, size_t shared_bytes, const block_limits *l)
{
    enum { ELSE = 28 };
    const int warps = (threads + 31) / 32, registers = 65536 / (32 * warps * (2 * held + ELSE));
    const int64_t shared = (l->shared_bytes + SHARED_LEFT) / ((int64_t)shared_bytes + SHARED_OF_EACH);
    const int blocks = registers < shared ? registers : (int)shared;
    return blocks < 1 ? 1 : blocks < BLOCKS_ENOUGH ? blocks : BLOCKS_ENOUGH;
}

/* Chains would have all their elements in registers besides the points: not more than 64 registers a thread
 * of single precision, as the passes have without, and some more where there are two transforms. */
static int access_groups(const tile_shape *s, const block_limits *l, size_t shared_bytes)
{
    if (l->tuning.min_blocks && !s->mirror) return l->tuning.min_blocks; /* X[-k] takes registers, too */
    if (s->access[2].on && s->lines == 0 && s->threads > 256 && !l->is_double && !s->mirror && !s->twiddle) {
        const int fit = there_and_back_blocks(s->threads, s->points_per_thread, shared_bytes, l);
        return fit > 1 ? fit : 0;
    }
    const int threads = (l->is_double ? 512 : 1024) / 4 * (s->access[2].on ? 3 : 4), held = tile_blocks(s, l),
              blocks = held < threads / s->threads ? held : threads / s->threads;
    /* two of 512 threads forward and inverse: 4 % at 1024 x 1024 on an H200; but where more than that happens
     * they would spill */
    const bool fits_two = s->access[2].on && s->threads == 512 && held > 1 && !s->ragged && !s->mirror &&
                          !s->access[0].windows && !s->access[1].windows;
    return blocks > 1 ? blocks : fits_two ? 2 : 0;
}

/* What the compiler is asked for: of itself it gives threads of large blocks so many registers that there is
 * no space for a second one. Where three fit it knows better, but for Rader's lines, where it
 * takes what their tables' elements would fill (178 registers at 337 points). */
int tile_min_blocks(const tile_shape *s, const block_limits *l, size_t shared_bytes)
{
    if (tile_has_access(s)) return access_groups(s, l, shared_bytes);
    if (l->tuning.min_blocks) return l->tuning.min_blocks;
    if (three_hold_prime(s, l)) return 3;
    if (s->convolution.kind == CONVOLUTION_RADER && s->threads <= 512 && s->points_per_thread <= 16)
        return tile_blocks(s, l);
    if (s->convolution.kind == CONVOLUTION_RADER && s->threads <= 512 && s->points_per_thread < 20 &&
        !l->is_double) {
        const int all = 65536 / ((s->threads + 31) / 32 * 32), blocks = all / (2 * s->points_per_thread + 42);
        return blocks > 1 ? blocks : all / (2 * s->points_per_thread + 24);
    }
    if (s->convolution.kind == CONVOLUTION_RADER && s->threads <= 512 && s->points_per_thread >= 20 &&
        registers_hold(s, l) > 1)
        return 2;
    return s->threads > 256 && registers_hold(s, l) == 2 &&
                   2 * (int64_t)(shared_bytes + 1024) <= l->shared_bytes
               ? 2
               : 0;
}
