/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments and macros of the kernels of the field-corrected DFT; src/field/device_*.c fills the structs.
 *
 * Samples are sorted by time, in blocks of FIELD_BLOCK (the last one padded with source -1). Pixels are in
 * slots, FIELD_SEGMENT to a segment. A segment is a run of neighbours along x, or, for matrix units where
 * this saves slots, a tile of 4 x 4. Masked pixels and those outside the image have source -1. `place`
 * counts from the middle of the segment; in a tile it counts from the first pixel, and y has another such
 * term. (x, y, z) is that point in pixels from the image's centre. Then
 *
 *     phase / 2 pi = rate_x place + (rate_x x + rate_y y + rate_z z) + turns offset + turns centre(block)
 *
 * The bracket is a sum of integers times fixed-point fractions, which wrap at whole turns without any
 * rounding. */
/* Macros that a key defines for a kernel of the field DFT, by groups. tools/kernel_macros.py makes
 * docs/internals/kernel-macros.md from these tables.
 *
 * PHASE: one pair of sample and pixel (phase.krn).
 *   PHASE_FIELD PHASE_DECAY PHASE_GRADIENTS  1: there is a field map, a map of R2*, a map of gradients within
 *                              voxels
 *   PHASE_TERMS                number of further terms of the phase; 0: none
 *   PHASE_CAREFUL              1: terms of many turns, each factor in two parts
 *   PHASE_SINC_X PHASE_SINC_Y PHASE_SINC_Z  degree of an axis's sinc polynomial; 9: by the sine, 0: none
 *   PHASE_WIDE                 1: fixed-point phases of 64 bits, for rows beyond 2^14 pixels
 *   PHASE_NATIVE               0: sines by polynomials, phases in turns; 1: sines by the chip's instruction,
 *                              phases in radians, a few turns at most; 2: the same for phases of many turns
 *   PHASE_MIX                  one of this many pairs has its sine by a polynomial; 0: none
 *
 * SUM: sums of a group (direct.krn, pack.krn, tensor_rows.krn).
 *   SUM_FORWARD                1: samples over pixels; 0: pixels over samples
 *   SUM_COILS                  vectors at a time
 *   SUM_SPOT                   pixels of a spot, which share a phase
 *   SUM_NEAR                   maximum number of spots with outputs of an adjoint group
 *   SUM_LAST                   1: the last group of an output adds its parts up (last.krn)
 *   SUM_TAKES                  vectors of an item of field_finish
 *
 * TENSOR: data flow to matrix units (tensor.krn, tensor_rows.krn).
 *   TENSOR_PRODUCTS            1: high high; 3: also low high and high low
 *   TENSOR_BRIEF               1: halves have 8 bits, not 11
 *   TENSOR_TILED               1: segments are tiles of 4 x 4 pixels, not 16 of a row
 *   TENSOR_BUFFERS             buffers for stages in shared memory
 *   TENSOR_CHUNKS              chunks of 8 terms whose fragments a lane holds at a time
 *   TENSOR_OVERLAP             1: a lane holds twice as many
 *   TENSOR_UNROLL              records of four phase terms in an unrolled step: 1, 2 or 4; careful ones: 1
 *   TENSOR_JOINED              1, 2: one product for both parts of B
 *   TENSOR_MASKED              1: low halves by truncation, not by rounding
 *   TENSOR_CENTRED             adjoint sums count from a centre in time: 1 a single one, so that sums are
 *                              rotated once, at the end; 2 one for each block
 *   TENSOR_PIECE               stages that stay in one part when sums are cut: 4, a block, or 1; not with
 *                              TENSOR_CENTRED 2
 *   TENSOR_DEALT               1: stages are dealt out evenly, whichever outputs they belong to */
#ifndef KERNELS_FIELD_PARAMS_H
#define KERNELS_FIELD_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

#define FIELD_BLOCK 256         /* samples that share a centre in time */
#define FIELD_PLACES 160        /* maximum number of groups for the stages of matrix kernels (TENSOR_DEALT) */
#define FIELD_SEGMENT 16        /* pixels of a segment; rows of a tensor-core tile */
#define COLUMNS (2 * SUM_COILS) /* columns of a tensor-core matrix of vectors: real and imaginary parts */

/* Shares of a small problem, whose stages are dealt out evenly to as many groups as run at once. Stage s
 * of block b of outputs has index b units + s. Place g has the stages from cut[g] to before cut[g + 1], of
 * one block or of two neighbours. If they are of two blocks, group g does the longer piece, and a later
 * group, which starts when a multiprocessor is free, does the shorter one. */
struct field_shares {
    int places, late_count; /* places 0: parts are equal */
    int cut[FIELD_PLACES + 1];
    short late[FIELD_PLACES]; /* places with a second piece, longest first */
    /* for each block, and behind the last: the place that has its first stage */
    short first[FIELD_PLACES + 1];
};

/* Arguments of one launch. Strides and offsets count complex numbers of the caller's arrays. */
struct field_params {
    INDEX in_offset, in_stride; /* first element, stride between vectors */
    INDEX out_offset, out_stride;
    INDEX places;              /* finish: outputs in the plan's order; pack: terms; extent: complex numbers */
    INDEX part_stride;         /* stride between two parts of the partial sums */
    int vectors, first_vector; /* number of vectors; tensor cores: first vector of this launch */
    int blocks, segments;      /* blocks of samples, segments of pixels */
    int outputs; /* blocks of outputs: FIELD_BLOCK outputs, or, in matrix kernels, a group's rows */
    /* number of pieces that the terms of a sum can be cut into: spots, or steps of samples; matrix
     * kernels: stages or blocks of terms */
    int units;
    int parts; /* parts of each sum; with one part, results go to the caller's array */
    /* general kernels: the first part is longer, and the last shorter, than the mean by this many tenths */
    int taper;
    int rows, held; /* matrix kernels: outputs of a group; number of outputs that hold anything */
    struct field_shares shares;
    int last;     /* 1: the last group of each output adds the parts up */
    int extents;  /* groups that searched for the largest input */
    int weighted; /* 1: samples have weights */
    int centres;  /* number of different centres in time; vectors are packed for each */
};

#endif
