/* SPDX-License-Identifier: BSD-3-Clause */
/* dist_conv.h: convolutions (conv.h) of images that are divided over the ranks of a communicator, such as
 * volumes larger than one rank's memory.
 *
 * The image lies in slabs across its last axis: rank r of P has planes `first` to first + planes - 1
 * (argand_dist_conv_info); the first ranks have one more if the number of planes is not a multiple of P. If
 * there are more ranks than planes, the last ranks have none and give NULL as arrays. Every rank gives the
 * whole kernel. Results lie as the image does (mode same).
 *
 * Each rank gets the planes that its results need from its neighbours, kernel - 1 of them; kernels may be
 * thicker than a slab. A rank then convolves its part. Results are those of one rank: to the bit for direct
 * sums, to rounding for transforms. Borders are those of the whole image. The dynamic range
 * (argand_conv_range) is measured by each rank in the planes that it has.
 *
 * Memory of a rank: its part of the image once more, with the neighbours' planes, and the memory of the local
 * convolution. On GPUs give a communicator over NCCL (argand_comm_devices); otherwise the
 * neighbours' planes pass through host memory.
 *
 * Limits: those of conv.h, for each rank's part. Threads: a plan is for one thread at a time. All ranks make
 * the same calls in the same order, with the same options and kernel. A failure of one rank is known to all:
 * each call returns an error on every rank. Refused with ARGAND_ARGUMENT: what conv.h refuses; with
 * ARGAND_UNSUPPORTED: modes other than same, and border zero along the last axis with a constant other than 0
 * along another. NULL: see argand.h; a NULL communicator is one rank. */
#ifndef ARGAND_DIST_CONV_H
#define ARGAND_DIST_CONV_H

#include "comm.h"
#include "conv.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_dist_conv argand_dist_conv;

typedef struct argand_dist_conv_info {
    int rank;
    int64_t n[3];           /* of the whole image */
    int64_t first, planes;  /* this rank's part of the last axis; planes may be 0 */
    int64_t before, after;  /* neighbours' planes that its results need */
    argand_conv_info local; /* the convolution of this rank's part; all zeros without planes */
} argand_dist_conv_info;

/* Creates a plan. The options are those of the whole image. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_conv_create(argand_dist_conv **conv, argand_comm *comm,
                                                                 argand_device *device,
                                                                 const argand_conv_options *options);
/* As argand_conv_set_kernel and argand_conv_set_sharpness, on every rank with the same values. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_conv_set_kernel(argand_dist_conv *conv,
                                                                     const argand_array *kernel);
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_conv_set_sharpness(argand_dist_conv *conv, double s);
/* Convolves the image. in and out: this rank's part, {n..., planes, channels, batch} as in conv.h. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_conv_apply(const argand_dist_conv *conv,
                                                                argand_array *out, const argand_array *in);
ARGAND_API void argand_dist_conv_describe(const argand_dist_conv *conv, argand_dist_conv_info *info);
ARGAND_API void argand_dist_conv_destroy(argand_dist_conv *conv); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
