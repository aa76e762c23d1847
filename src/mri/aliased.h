/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of Cartesian lines in image space, for slices that were excited together. */
#ifndef MRI_ALIASED_H
#define MRI_ALIASED_H

#include <argand/op.h>
#include "base/status.h"

/* Pixels of image `image` that meet those of image `other`: row y meets row y - shift, in a circle. The
 * factor is `plain` if y >= shift, and `wrapped` below. */
typedef struct aliased_pair {
    int image, other;
    int64_t shift;
    double plain[2], wrapped[2]; /* complex */
} aliased_pair;

/* What the positions of samples make of the images of `images` slices; pairs of image 0 first, each image's
 * by `other`. */
typedef struct aliasing {
    int64_t n[2];
    int images;
    int64_t count, capacity;
    aliased_pair *pairs;
} aliasing;

/* Finds the pairs. k[axis] {samples}: kx and ky in cycles per field of view, kz as argand_multiband_phases
 * takes it. If samples do not lie on lines that are complete along axis 0, or an image has more than `most`
 * pairs, there are none (count 0). Free the pairs with aliasing_free, also after a failure. */
argand_status aliasing_find(aliasing *a, double *const k[3], int64_t samples, const int64_t n[2], int images,
                            int64_t most);
void aliasing_free(aliasing *a);

/* Creates the operator x_i = sum over the pairs of i of M x_other, with M = factor sum_c conj(S_ic)
 * S_other,c: {n[0], n[1], images} to the same. maps[image]: contiguous {pixels, coils}; they are not kept. */
argand_status aliased_op(argand_op **op, const aliasing *a, argand_array *const maps[]);

/* Creates an operator that is `whole`, the multiband operator of these images, with another adjoint: by sums
 * over the samples of lines and over lines, for devices where launches of many kernels take longer. *op is
 * NULL if the lines differ or have too many samples. k: as for aliasing_find; maps: shared. The device is not
 * a host's. */
enum { LINES_MOST = 128 }; /* samples of a line; lines */
argand_status lines_op(argand_op **op, argand_op *whole, const aliasing *a, double *const k[3], int64_t count,
                       argand_array *const maps[]);

#endif
