/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how many blocks a multiprocessor should hold: the number that registers allow, and the minimum
 * given to the compiler. */
#include "fft/gpu/codegen/shared_memory.h"

/* Returns the blocks that a multiprocessor of 65536 registers can hold; with several, one loads while
 * another computes. A thread needs registers for its points and for a dozen addresses at least. */
static int registers_hold(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32,
              registers_held = 2 * s->points_per_thread * (l->is_double ? 2 : 1),
              many = s->convolution.kind && registers_held > 30 ? 30 : registers_held,
              extra = s->convolution.kind || s->chirp || s->out_kind == OUT_HALF_PACKED ? many : 12,
              registers = (registers_held + extra + 7) / 8 * 8, blocks = 65536 / (registers * 32 * warps);
    return blocks < 1 ? 1 : blocks;
}

/* Limits that number to what is useful: 40 warps, and at least two blocks. */
int tile_blocks(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32, wanted = 2 * warps > 40 ? 2 : 40 / warps,
              held = registers_hold(s, l);
    return held < wanted ? held : wanted;
}

/* Returns true for lines of one prime radix above 16 if three blocks fit. They need some forty registers
 * besides the points; the compiler would allocate many more. */
static bool three_hold_prime(const tile_shape *s, const block_limits *l)
{
    const int warps = (s->threads + 31) / 32,
              registers_held = 2 * s->points_per_thread * (l->is_double ? 2 : 1);
    return s->stages == 3 && s->stage[1].radix > 16 && s->stage[1].radix != 25 && s->stage[0].radix == 1 &&
           s->stage[2].radix == 1 && 65536 / (3 * 32 * warps) / 8 * 8 >= registers_held + 40;
}

/* Returns the blocks for round trips in single precision: three, of which one loads, one computes and one
 * stores (four were slower), or as many as registers allow. A thread needs two registers for each element
 * and 28 others (no spills with 13 to 20 elements). */
int there_and_back_blocks(int threads, int held, size_t shared_bytes, const block_limits *l)
{
    enum { ELSE = 28 };
    const int warps = (threads + 31) / 32, registers = 65536 / (32 * warps * (2 * held + ELSE));
    const int64_t shared = (l->shared_bytes + SHARED_LEFT) / ((int64_t)shared_bytes + SHARED_OF_EACH);
    const int blocks = registers < shared ? registers : (int)shared;
    return blocks < 1 ? 1 : blocks < BLOCKS_ENOUGH ? blocks : BLOCKS_ENOUGH;
}

/* Returns the minimum for passes with accessors. Without it, the compiler would keep all elements of a
 * chain in registers besides the points. The limit is 64 registers a thread in single precision, as for
 * passes without accessors, and somewhat more for two transforms. */
static int access_groups(const tile_shape *s, const block_limits *l, size_t shared_bytes)
{
    /* X[-k] needs registers, too */
    if (l->tuning.min_blocks && !s->mirror) return l->tuning.min_blocks;
    if (s->access[2].on && s->lines == 0 && s->threads > 256 && !l->is_double && !s->mirror && !s->twiddle) {
        const int fit = there_and_back_blocks(s->threads, s->points_per_thread, shared_bytes, l);
        return fit > 1 ? fit : 0;
    }
    const int threads = (l->is_double ? 512 : 1024) / 4 * (s->access[2].on ? 3 : 4), held = tile_blocks(s, l),
              blocks = held < threads / s->threads ? held : threads / s->threads;
    /* two blocks of 512 threads forward and inverse gain 4 % (1024 x 1024, H200); with windows or images
     * registers would spill */
    const bool fits_two = s->access[2].on && s->threads == 512 && held > 1 && !s->ragged && !s->mirror &&
                          !s->access[0].windows && !s->access[1].windows;
    return blocks > 1 ? blocks : fits_two ? 2 : 0;
}

/* Returns the minimum given to the compiler. By itself, the compiler gives threads of large blocks so many
 * registers that no second block fits. If three blocks fit, the compiler chooses better, except for
 * Rader's lines, where table elements would fill the registers (178 of them at 337 points). */
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
