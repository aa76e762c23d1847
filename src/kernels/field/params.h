/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of the field-corrected DFT read besides the caller's arrays; filled by
 * src/field/device_*.c.
 *
 * Samples are sorted by time, in blocks of FIELD_BLOCK (the last one padded: source -1). Pixels lie in slots,
 * FIELD_SEGMENT to a segment, which are neighbours along x, or, for matrix units where that spares slots, a
 * tile of 4 x 4 (source -1 where one is masked or outside the image). With `place` counted from the middle of
 * the segment (of a tile from its first pixel, and another such term along y) and (x, y, z) that point in
 * pixels from the image's centre,
 *
 *     phase / 2 pi = rate_x place + (rate_x x + rate_y y + rate_z z) + turns offset + turns centre(block)
 *
 * The bracket is whole numbers times fixed-point fractions, which wrap at whole turns without any
 * rounding. */
/* What a key says of a kernel of the field DFT, by groups. docs/internals/kernel-macros.md is made from these
 * tables.
 *
 * PHASE: one pair of sample and pixel (phase.krn).
 *   PHASE_FIELD PHASE_DECAY PHASE_GRADIENTS  1: there is a field map, a map of R2*, one of gradients within
 *                              voxels
 *   PHASE_TERMS                further terms of the phase; 0: none
 *   PHASE_CAREFUL              1: terms of many turns, in two parts each
 *   PHASE_SINC_X PHASE_SINC_Y PHASE_SINC_Z  coefficients of the polynomial of an axis' sinc; 0: none
 *   PHASE_WIDE                 1: fixed-point phases of 64 bits, for rows beyond 2^14 pixels
 *   PHASE_NATIVE               0: sines by polynomials, phases in turns; 1: by the chip's own instruction,
 *                              phases in radians, a few turns at most; 2: the same for phases of many turns
 *   PHASE_MIX                  of so many pairs one has its sine by a polynomial; 0: none
 *
 * SUM: which sums a group does (direct.krn, pack.krn, tensor_rows.krn).
 *   SUM_FORWARD                1: samples over pixels; 0: pixels over samples
 *   SUM_COILS                  vectors at a time
 *   SUM_SPOT                   pixels of a spot, which have a phase in common
 *   SUM_NEAR                   spots that the outputs of an adjoint group lie in, at most
 *   SUM_LAST                   1: the last group of an output adds its parts up (last.krn)
 *   SUM_TAKES                  vectors of an item of field_finish
 *
 * TENSOR: how matrix units are fed (tensor.krn, tensor_rows.krn).
 *   TENSOR_PRODUCTS            1: high high; 3: and low high, high low
 *   TENSOR_BRIEF               1: halves of 8 bits, not 11
 *   TENSOR_TILED               1: segments are tiles of 4 x 4 pixels, not 16 of a row
 *   TENSOR_BUFFERS             buffers for stages in shared memory
 *   TENSOR_CHUNKS              chunks of 8 terms whose fragments a lane holds at a time
 *   TENSOR_OVERLAP             1: twice as many
 *   TENSOR_JOINED              1, 2: one product for both parts of B
 *   TENSOR_MASKED              1: low halves by cutting, not by rounding
 *   TENSOR_CENTRED             adjoint sums count from a centre in time: 1: the only one, so that they are
 *                              rotated once, at the end; 2: each block's
 *   TENSOR_PIECE               stages that are not separated where sums are cut: 4, a block, or 1; not with
 *                              TENSOR_CENTRED 2
 *   TENSOR_DEALT               1: stages are dealt out evenly, whichever outputs they belong to */
#ifndef KERNELS_FIELD_PARAMS_H
#define KERNELS_FIELD_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

#define FIELD_BLOCK 256         /* samples that share a centre in time */
#define FIELD_PLACES 160        /* most groups among which the stages of matrix kernels are dealt out */
#define FIELD_SEGMENT 16        /* pixels of a segment; rows of a tensor-core tile */
#define COLUMNS (2 * SUM_COILS) /* of a tensor-core matrix of vectors: real and imaginary parts */

/* How the stages of all sums of a small problem are dealt out evenly to as many groups as run at once. Stage
 * s of block b of outputs has index b units + s; place g has those from cut[g] on, of one block or of two
 * neighbours. Of two, a group does the longer piece, and one that comes later, to a place that has become
 * free, the shorter one. */
struct field_shares {
    int places, late_count; /* no places: parts are equal */
    int cut[FIELD_PLACES + 1];
    short late[FIELD_PLACES]; /* places with a second piece, those with the longest first */
    /* of each block, and behind the last: the place that has its first stage */
    short first[FIELD_PLACES + 1];
};

/* One launch. Strides and offsets count complex numbers of the caller's arrays. */
struct field_params {
    INDEX in_offset, in_stride; /* first element, distance between vectors */
    INDEX out_offset, out_stride;
    INDEX places;              /* finish: outputs in the plan's order; pack: terms; extent: complex numbers */
    INDEX part_stride;         /* between two parts of the partial sums */
    int vectors, first_vector; /* in all; tensor cores: of this launch */
    int blocks, segments;      /* of samples, of pixels */
    int outputs;               /* blocks of them: FIELD_BLOCK, matrix kernels: as many as a group has rows */
    /* and into how many pieces the terms of a sum can be cut: spots, or steps of samples; matrix kernels:
     * stages or blocks of terms */
    int units;
    int parts; /* into which each sum is cut; with one, results go to the caller's array */
    /* general kernels: by how many tenths the first part is longer, and the last shorter, than the mean */
    int taper;
    int rows, held; /* matrix kernels: outputs of a group; all that hold anything */
    struct field_shares shares;
    int last;     /* the last group of each output adds the parts up */
    int extents;  /* groups that looked for the largest input */
    int weighted; /* samples have weights */
    int centres;  /* different centres in time, for each of which vectors are packed */
};

#endif
