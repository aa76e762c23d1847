/* SPDX-License-Identifier: BSD-3-Clause */
/* dist_toeplitz.h: normal operators T = A^H W A of NUFFTs (toeplitz.h) whose image and samples are divided
 * over the ranks of a communicator. An application is a convolution on a doubled grid: FFTs and two
 * exchanges, without samples and spreading.
 *
 * The image lies in slabs across its last axis, as in dist_nufft.h. Each rank gives any samples, or none;
 * they are read during creation and not kept. The operator is Hermitian to rounding.
 *
 * Solvers of solve.h take inner products of images on one rank, so there is no argand_op for images in slabs.
 * An iteration of one's own adds its inner products over the ranks (argand_comm_sum_doubles).
 *
 * Memory of a rank: its share of the doubled grid twice (reals for the kernel's spectrum, complex numbers for
 * a call). Limits: 2 or 3 axes, 2^24 pixels on an axis. Threads: an operator is for one thread at a time. All
 * ranks make the same calls in the same order, with the same sizes and numbers of vectors. A failure of one
 * rank is known to all: each call returns an error on every rank. Refused with ARGAND_ARGUMENT: arrays that
 * do not have the size of k or of the image, that have gaps, or share memory; with ARGAND_NUMERIC: values
 * that are not finite. NULL: see argand.h; a NULL communicator is one rank; k is NULL where a rank has no
 * samples, images are NULL where it has no planes. */
#ifndef ARGAND_DIST_TOEPLITZ_H
#define ARGAND_DIST_TOEPLITZ_H

#include "comm.h"
#include "nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_dist_toeplitz argand_dist_toeplitz;

typedef struct argand_dist_toeplitz_options {
    argand_type type;   /* ARGAND_C32 or ARGAND_C64 */
    int rank;           /* 2 or 3 */
    int64_t n[3];       /* the whole image, x first */
    argand_array *k[3]; /* this rank's samples, cycles per field of view, as in nufft.h; k[0] NULL: none */
    const argand_array *weights; /* W, real, one per sample of this rank; NULL: 1 */
    double tolerance;            /* relative l2 error; 0 means 1e-5 (C32) or 1e-9 (C64) */
} argand_dist_toeplitz_options;

typedef struct argand_dist_toeplitz_info {
    argand_type type;
    int rank;
    int64_t n[3];
    int64_t first, planes; /* this rank's part of the image's last axis; planes may be 0 */
    int64_t grid[3];       /* the doubled grid */
    int64_t samples;       /* of all ranks */
    size_t bytes;          /* the kernel's spectrum on this rank; a call's memory comes on top */
} argand_dist_toeplitz_info;

ARGAND_API ARGAND_MUST_USE argand_status
argand_dist_toeplitz_create(argand_dist_toeplitz **toeplitz, argand_comm *comm, argand_device *device,
                            const argand_dist_toeplitz_options *options);
/* Computes out = T image. out and image: this rank's part, {nx[, ny], planes, vectors}, contiguous. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_toeplitz_apply(const argand_dist_toeplitz *toeplitz,
                                                                    argand_array *out,
                                                                    const argand_array *image);
ARGAND_API void argand_dist_toeplitz_describe(const argand_dist_toeplitz *toeplitz,
                                              argand_dist_toeplitz_info *info);
ARGAND_API void argand_dist_toeplitz_destroy(argand_dist_toeplitz *toeplitz); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
