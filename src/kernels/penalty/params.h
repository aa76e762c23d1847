/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of penalties read besides the arrays, which are contiguous; filled by src/penalty.
 * Offsets, strides and counts are in reals wherever an element may be real or complex: `width` of them make
 * one element. */
#ifndef KERNELS_PENALTY_PARAMS_H
#define KERNELS_PENALTY_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Differences of all axes at once. A row is n[0] reals. */
struct gradient_params {
    INDEX n[3];    /* reals, then rows, then planes */
    INDEX step[3]; /* from an element to the next along the axis */
    INDEX slot[3]; /* where the axis' differences begin; -1: the axis has none */
    INDEX rows, row_block, in, out;
    int lanes, pad;
};

/* Pointwise: `count` vectors of `components` elements at stride `step`. */
struct shrink_params {
    INDEX count, step, chunk, in, out;
    struct kernel_scalar threshold, delta;
    int components, width, mode, pad; /* modes: penalty/shrink.krn */
};

/* One axis of a wavelet transform, over the block of coarse coefficients. Rows are gone through in two
 * further axes and, where the axis is not the first one, in pairs along the axis. */
struct wavelet_params {
    INDEX n, stride;         /* elements along the axis; reals between two of them */
    INDEX inner;             /* elements (axis 0: pairs; others: reals) of a row */
    INDEX pairs;             /* of elements along the axis in rows' indices, 1 for axis 0 */
    INDEX count[2], step[3]; /* the further axes: how many, the last as many as rows are left; strides */
    INDEX rows, row_block, in, out;
    struct kernel_scalar low[4], high[4];
    int width, first_axis, inverse, lanes;
};

/* Blocks of an image sequence. Along an axis the first block has `first` pixels, the others `block`, the last
 * what is left. */
struct low_rank_params {
    INDEX n[3], count[3], first[3];
    INDEX blocks, groups, frames, pixels, in, out;
    INDEX order, scratch; /* the longest small side of a block, and elements of scratch for a group */
    struct kernel_scalar threshold;
    int block, width;
};

#endif
