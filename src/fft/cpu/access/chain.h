/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of accessors on the lines of a block. */
#ifndef FFT_CPU_ACCESS_CHAIN_H
#define FFT_CPU_ACCESS_CHAIN_H

#include "fft/cpu/access/pass.h"

/* A block under way. Its buffers hold lines one behind the other (outer: lines, inner: points) or, as
 * columns, side by side (outer: points, inner: lines), `pitch` reals from one outer index to the next. */
typedef struct block_state {
    const access_pass *pass;
    int line_dim; /* dimension from line to line; -1: there is one */
    bool columns;
    int64_t lines, pitch;
    int64_t coordinate[ACCESS_DIMS]; /* of the first line; 0 along the axis */
    void *buffer, *other, *sum, *scratch, *work;
} block_state;

/* All lines' values at some points: inners side by side, `step` bytes from one outer index to the next. */
typedef struct block_part {
    char *at;
    int64_t outers, inners, step;
} block_part;

static inline block_part part_of_block(const block_state *b, void *buffer, int width, int64_t point,
                                       int64_t count)
{
    const int64_t size = b->pass->is_double ? 8 : 4, step = b->pitch * size;
    return (block_part){(char *)buffer + (b->columns ? point * step : point * width * size),
                        b->columns ? count : b->lines, b->columns ? b->lines : count, step};
}

/* On `count` points of each line that stand at `point` of the buffer and are elements `place` on of the
 * array. */
void chain_apply(const block_state *block, const access_chain *chain, int width, int64_t place, int64_t point,
                 int64_t count);
/* The element that point t outside an array of `count` is a copy of; see access_border in
 * kernels/access/types.h. */
int64_t border_element(int64_t t, int64_t n, int64_t count, argand_border border);

#endif
