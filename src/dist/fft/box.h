/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes inside src/dist: every axis of a box has a stride. */
#ifndef DIST_FFT_BOX_H
#define DIST_FFT_BOX_H

#include <argand/dist.h>
#include "dist/comm/comm.h"

/* Elements along an axis; 0 or more. */
int64_t box_extent(const argand_box *box, int axis);
/* Makes the box contiguous, the first axis fastest. */
void box_lay_out(argand_box *box, int rank);
/* Elements from the first to the last, with gaps. */
int64_t box_span(const argand_box *box, int rank);
bool box_same_part(const argand_box *a, const argand_box *b, int rank);
bool box_same_strides(const argand_box *a, const argand_box *b, int rank);
/* Returns false if they share no element. */
bool box_intersect(argand_box *both, const argand_box *a, const argand_box *b, int rank);
/* Takes a caller's box of an array of n elements (NULL: any): checks it and fills in missing strides. */
argand_status box_take(argand_box *box, const argand_box *given, int rank, const int64_t *n,
                       const char *what);
/* The most even grid of so many ranks, grid[0] <= grid[1]. */
void box_even_grid(int grid[2], int parts);

#endif
