/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how a pass uses shared memory and registers. */
#ifndef FFT_GPU_CODEGEN_SHARED_MEMORY_H
#define FFT_GPU_CODEGEN_SHARED_MEMORY_H

#include "fft/gpu/codegen/program.h"

/* Returns how many elements of the precision one access without conflicts can have. */
static inline int banks_of(const tile_shape *s, bool is_double)
{
    return (is_double ? 16 : 32) / (s->exchange_mode == 3 ? 2 : 1);
}

/* banks.c: sets pitch, padding interval and padding of the stages to those with the fewest conflicts, fills
 * in shared_elements, and returns the cost of the exchanges. */
int banks_choose(tile_shape *s, bool is_double);
/* Orders the radices of Rader's convolution by that cost. */
void banks_order(tile_shape *s, bool is_double);

/* rader_places.c: makes the index lists of Rader's convolution in a tile, once its layout is known. */
argand_status rader_lists(twiddle_tables *t, tile_shape *s, bool is_double);
/* rader_is_flat returns true if whole lines, with point 0, go to shared memory in the order of global
 * memory; rader_elements returns how many elements the lines take there. */
bool rader_is_flat(const tile_shape *s);
int rader_elements(const tile_shape *s, int banks);

/* min_blocks.c: tile_blocks returns the blocks wanted on each multiprocessor, limited by registers.
 * tile_min_blocks returns the minimum given to the compiler; 0: none. */
int tile_blocks(const tile_shape *s, const block_limits *l);
enum { BLOCKS_ENOUGH = 3 };
int there_and_back_blocks(int threads, int held, size_t shared_bytes, const block_limits *l);
int tile_min_blocks(const tile_shape *s, const block_limits *l, size_t shared_bytes);
/* persistent_blocks.c: makes the pass one of persistent blocks and returns true, if possible. The layout
 * in shared memory must be known. */
bool persistent_blocks_make(tile_pass *pass, const block_limits *l);
/* bulk_copy.c: decides whether bulk copies load or store tiles, and reserves their memory. Must run before
 * the size of shared memory is read. */
void bulk_copy_choose(tile_pass *pass, const block_limits *l);

#endif
