/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays whose elements are exchanged with other ranks. Communicators of devices (comm_is_on_device) read
 * device memory. Others read host memory: arrays of a device that the host cannot address then pass through a
 * copy.
 *
 * A rank that fails must not leave the others waiting. Therefore memory is taken before the ranks agree
 * (argand_comm_agree), and steps after that keep their failure to themselves until the ranks agree again. */
#ifndef DIST_MOVED_H
#define DIST_MOVED_H

#include "array/array.h"
#include "dist/comm/comm.h"

typedef struct moved {
    argand_array *array; /* NULL: nothing on this rank */
    char *base;          /* of the array's first element, for blocks */
    void *copy;          /* base, where the array is not in host memory */
} moved;

/* Finds the memory for the blocks of a contiguous array, which must outlive it. comm: that of the exchange */
argand_status moved_take(moved *m, const argand_comm *comm, argand_array *array);
/* Makes the elements ready to be sent; waits for the device. */
argand_status moved_before(const moved *m);
/* Gives the elements that have arrived to the array. */
argand_status moved_after(const moved *m);
void moved_release(moved *m);

/* Checks that all ranks have the same numbers, at most MOVED_SAME of them; all ranks call it, and all get the
 * error. what: "options" */
enum { MOVED_SAME = 64 };
argand_status moved_same(argand_comm *comm, const double *numbers, int count, const char *what);

/* Adds a block to a list. Empty ones are left out, as both ranks know that they are empty. */
static inline void block_add(comm_block *blocks, int *count, comm_block block)
{
    if (block.length && block.count) blocks[(*count)++] = block;
}

#endif
