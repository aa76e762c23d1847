/* SPDX-License-Identifier: BSD-3-Clause */
/* How a pass uses shared memory and registers. */
#ifndef FFT_GPU_CODEGEN_SHARED_MEMORY_H
#define FFT_GPU_CODEGEN_SHARED_MEMORY_H

#include "fft/gpu/codegen/program.h"

/* banks.c: how many numbers of a kind meet no conflicts; the stages' pitch, every and room with the fewest
 * conflicts; fills shared_numbers. */
int banks_of(const box_shape *s, bool is_double);
/* tells what exchanges cost, */
int banks_choose(box_shape *s, bool is_double);
/* by which the radices of Rader's convolution get their order. */
void banks_order(box_shape *s, bool is_double);

/* rader_places.c: the lists of one of Rader's convolutions in a box, once it is known what lies where; */
argand_status rader_lists(box_tables *t, box_shape *s, bool is_double);
/* whether whole lines, point 0 among them, go to shared memory as they lie in memory, and how many numbers.
 */
bool rader_is_flat(const box_shape *s);
int rader_numbers(const box_shape *s, int banks);

/* min_blocks.c: groups at a time, as many as one wants and registers hold; and what the compiler is asked
 * for, 0: nothing. */
int shape_groups(const box_shape *s, const box_limits *l);
int shape_resident(const box_shape *s, const box_limits *l, size_t shared_bytes);
/* persistent_blocks.c: whether the pass becomes one by groups that stay; its order in shared memory is known.
 */
bool stream_make(box_pass *pass, const box_limits *l);
/* bulk_copy.c: sides on which boxes are moved by bulk copies, and room for that; before the size of shared
 * memory is taken. */
void bulk_choose(box_pass *pass, const box_limits *l);

#endif
