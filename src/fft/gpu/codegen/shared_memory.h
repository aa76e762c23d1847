/* SPDX-License-Identifier: BSD-3-Clause */
/* How a pass uses shared memory and registers. */
#ifndef FFT_GPU_CODEGEN_SHARED_MEMORY_H
#define FFT_GPU_CODEGEN_SHARED_MEMORY_H

#include "fft/gpu/codegen/program.h"

/* banks.c: how many elements of a kind meet no conflicts; the stages' pitch, interval and padding with the
 * fewest conflicts; fills shared_elements. */
int banks_of(const tile_shape *s, bool is_double);
/* returns what exchanges cost, */
int banks_choose(tile_shape *s, bool is_double);
/* by which the radices of Rader's convolution get their order. */
void banks_order(tile_shape *s, bool is_double);

/* rader_places.c: the lists of one of Rader's convolutions in a tile, once it is known what lies where; */
argand_status rader_lists(twiddle_tables *t, tile_shape *s, bool is_double);
/* whether whole lines, point 0 among them, go to shared memory as they lie in memory, and how many elements.
 */
bool rader_is_flat(const tile_shape *s);
int rader_elements(const tile_shape *s, int banks);

/* min_blocks.c: blocks at a time, as many as one wants and registers hold; and what the compiler is asked
 * for, 0: nothing. */
int tile_blocks(const tile_shape *s, const block_limits *l);
enum { BLOCKS_ENOUGH = 3 };
int there_and_back_blocks(int threads, int held, size_t shared_bytes, const block_limits *l);
int tile_min_blocks(const tile_shape *s, const block_limits *l, size_t shared_bytes);
/* persistent_blocks.c: whether the pass becomes one by persistent blocks; its order in shared memory is
 * known. */
bool persistent_blocks_make(tile_pass *pass, const block_limits *l);
/* bulk_copy.c: whether tiles are loaded or stored by bulk copies, and memory for that; before the size of
 * shared memory is taken. */
void bulk_copy_choose(tile_pass *pass, const block_limits *l);

#endif
