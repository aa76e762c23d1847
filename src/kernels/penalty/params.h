/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the kernels of penalties, whose arrays are contiguous; filled by src/penalty. Offsets,
 * strides and counts are in reals wherever an element may be real or complex; `width` reals make one
 * element. */
#ifndef KERNELS_PENALTY_PARAMS_H
#define KERNELS_PENALTY_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Differences along all axes at once. A row has n[0] reals. */
struct gradient_params {
    INDEX n[3];    /* reals of a row, rows, planes */
    INDEX step[3]; /* stride between elements along each axis */
    INDEX slot[3]; /* offset of the axis's differences; -1: the axis has none */
    INDEX rows, row_block, in, out;
    int lanes, pad;
};

/* Pointwise shrinkage of `count` vectors of `components` elements at stride `step`. */
struct shrink_params {
    INDEX count, step, chunk, in, out;
    struct kernel_scalar threshold, delta;
    int components, width, mode, pad; /* modes: penalty/shrink.krn */
};

/* One axis of a wavelet transform, over the block of coarse coefficients. Rows are indexed by the two
 * other axes and, if the axis is not the first one, by pairs along the axis. */
struct wavelet_params {
    INDEX n, stride;         /* elements along the axis, and their stride in reals */
    INDEX inner;             /* elements of a row (axis 0: pairs; others: reals) */
    INDEX pairs;             /* pairs along the axis in a row's index; 1 for axis 0 */
    INDEX count[2], step[3]; /* sizes and strides of the other axes; the last has the remaining rows */
    INDEX rows, row_block, in, out;
    struct kernel_scalar low[4], high[4];
    int width, first_axis, inverse, lanes;
};

/* Blocks of an image sequence. Along an axis the first block has `first` pixels, the others `block`, the
 * last the rest. */
struct low_rank_params {
    INDEX n[3], count[3], first[3];
    INDEX blocks, groups, frames, pixels, in, out;
    INDEX order, scratch; /* largest small side of a block; elements of scratch for a group */
    struct kernel_scalar threshold;
    int block, width;
};

#endif
