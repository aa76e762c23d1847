/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of lines of a pass that go through a buffer. */
#ifndef FFT_CPU_ACCESS_BLOCK_H
#define FFT_CPU_ACCESS_BLOCK_H

#include "fft/cpu/access/chain.h"

static inline size_t access_real_size(const access_pass *p)
{
    return p->is_double ? 8 : 4;
}

static inline int64_t access_most_points(const access_pass *p)
{
    return p->in.n > p->out.n ? p->in.n : p->out.n;
}

/* Whether the transform itself reads the pass's memory, or writes it. */
bool access_reads_direct(const access_pass *p);
bool access_writes_direct(const access_pass *p);
/* Whether results are written to memory and changed there, while they are in the nearest cache: by scalars
 * and arrays in order, which do not mind where the transform's own factor comes. */
bool access_changes_in_place(const block_state *b);

/* Computes the block from memory to the buffer, or to memory if one of the two above says so. */
void access_block_compute(block_state *b);
void access_block_add_to_sum(const block_state *b, bool first);
/* Stores a buffer in memory. */
void access_block_store(const block_state *b, void *buffer);

#endif
