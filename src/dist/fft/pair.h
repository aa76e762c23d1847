/* SPDX-License-Identifier: BSD-3-Clause */
/* What two ranks exchange: the common part of a sender's and a receiver's box, as blocks of pieces. */
#ifndef DIST_FFT_PAIR_H
#define DIST_FFT_PAIR_H

#include "dist/fft/box.h"

/* A box in memory that begins `origin` elements before the box's first element: a part of a larger box has
 * the larger one's strides. */
typedef struct dist_part {
    argand_box box;
    int64_t origin;
} dist_part;

/* Elements of one block at one end: `count` pieces of `length` elements, `stride` apart. */
typedef struct dist_pieces {
    int64_t offset, length, stride, count;
} dist_pieces;

typedef struct dist_pair {
    argand_box both;
    int order[ARGAND_MAX_RANK]; /* axes with more than one element, the first varies fastest */
    int axes;
    int spanned;    /* so many axes of `order` are within a block, the others count blocks */
    int64_t blocks; /* 0: no common element */
    int64_t piece;  /* elements of the shorter of both ends' pieces */
} dist_pair;

/* Chooses the blocks; sender and receiver find the same. */
void dist_pair_find(dist_pair *pair, const dist_part *from, const dist_part *to, int rank);
/* Block `number` at one end. */
dist_pieces dist_pair_block(const dist_pair *pair, const dist_part *end, int64_t number);

#endif
