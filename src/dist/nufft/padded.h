/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTs between images and padded grids that are both divided over ranks. The image lies in slabs across its
 * last axis, z; the grid in slabs across y. In two dimensions x is missing.
 *
 *   image {x, y, z part}  -- FFT along y, padded -->  {x, z part, Y}
 *                         -- redistribution      -->  {x, z, Y part}
 *                         -- FFT along x and z   -->  grid {X, Z, Y part}
 *
 * Only one axis is padded before data are sent: x y Z numbers in place of X Y Z. Both FFTs are plans with
 * windows and accessors, so that nothing is padded, shifted or weighted by a pass of its own. */
#ifndef DIST_NUFFT_PADDED_H
#define DIST_NUFFT_PADDED_H

#include <argand/fft.h>
#include "dist/moved.h"

enum { PADDED_VECTORS = 8 }; /* most at a time */

typedef struct padded_options {
    argand_type type;       /* C32 or C64 */
    int rank;               /* 2 or 3 */
    int64_t n[3], grid[3];  /* of the caller's axes */
    int64_t before, planes; /* Y planes of the grid's array: ghosts before this rank's own ones; in all */
    const void
        *weights[3];   /* of each pixel of an axis: reals in host memory of the type's precision; NULL: 1 */
    argand_comm *comm; /* from comm_choose */
    argand_device *device;
} padded_options;

/* Plans for a number of vectors; NULL: not made yet, or nothing to do on this rank */
typedef struct padded_plans {
    bool made;
    argand_fft *out_y, *out_xz, *back_y, *back_xz;
} padded_plans;

typedef struct padded_fft {
    padded_options options;
    int64_t x, y, z, X, Y, Z;               /* sizes */
    int64_t z_first, z_own, y_first, y_own; /* of this rank */
    argand_array *weights[3];               /* x, y, z: on the device */
    padded_plans plans[PADDED_VECTORS + 1];
} padded_fft;

/* planes of 0: y_own. Not collective: the ranks agree afterwards. */
argand_status padded_create(padded_fft **out, const padded_options *o);
void padded_destroy(padded_fft *p);

/* Finds the number of vectors of a call: all ranks that have any give the same. *vectors: 0 on ranks that
 * have none. All ranks call it. */
argand_status padded_agree_vectors(const padded_fft *p, int64_t *vectors);
/* Returns how many vectors are transformed at a time: as many as fill 64 bytes side by side, unless their
 * grid is too large. All ranks find the same. */
int64_t padded_most_vectors(const padded_fft *p);

/* The work memory of a call */
typedef struct padded_call {
    padded_fft *fft;
    int64_t vectors;
    argand_array *parts, *rows; /* {x, z part, Y, vectors}, {x, z, Y part, vectors} */
    moved sent, got;
    comm_block *blocks;
} padded_call;

/* Makes plans and takes memory; then the ranks agree. */
argand_status padded_prepare(padded_call *c, padded_fft *fft, int64_t vectors);
void padded_release(padded_call *c);
/* image: contiguous {.., z part, vectors}; grid: contiguous {X, Z, planes, vectors}, of which the ghosts are
 * left alone. NULL where this rank has no part. All ranks call them, also those that failed before. */
argand_status padded_forward(const padded_call *c, argand_array *grid, const argand_array *image);
/* The adjoint: exponents of the other sign, cropped, the same weights. */
argand_status padded_adjoint(const padded_call *c, argand_array *image, const argand_array *grid);

#endif
