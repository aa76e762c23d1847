/* SPDX-License-Identifier: BSD-3-Clause */
/* dist_nufft.h: nonuniform FFTs (nufft.h) of images and samples that are divided over the ranks of a
 * communicator.
 *   type 2 (apply): image -> samples        type 1 (adjoint): samples -> image, the exact adjoint
 * Signs, units, tolerance and errors are those of nufft.h; results agree with those of one rank to the
 * tolerance.
 *
 * The image lies in slabs across its last axis: rank r of P has planes `first` to first + planes - 1
 * (argand_dist_nufft_info); the first ranks have one more if the number of planes is not a multiple of P. If
 * there are more ranks than planes, the last ranks have none and give NULL as image.
 *
 * Each rank gives any points, in any order, or none. A point moves once, when points are set, to the rank
 * that owns its part of the grid; in each call its sample moves there or back, so that samples keep the
 * caller's order. The grid is divided evenly, not the points: if all points lie in one rank's part, the
 * result is right, but that rank does all the gridding (argand_dist_nufft_info.points_held).
 *
 * Memory of a rank: its share of the grid twice, of the image, its points, and ghost planes of the window's
 * width. On GPUs give a communicator over NCCL (argand_comm_devices); otherwise elements pass through host
 * memory on their way to other ranks.
 *
 * Limits: those of nufft.h, for each rank's points and share of the grid; 2 or 3 axes. A window is used on
 * every axis, also on Cartesian ones. Threads: a plan is for one thread at a time. All ranks make the same
 * calls in the same order, with the same options and number of vectors. A failure of one rank is known to
 * all: each call returns an error on every rank. Refused with ARGAND_ARGUMENT: what nufft.h refuses; arrays
 * that are not contiguous; numbers of vectors that differ between ranks; with ARGAND_NUMERIC: positions that
 * are not finite; with ARGAND_UNSUPPORTED: one axis, real_image, pixels in FFT order. NULL: see argand.h; a
 * NULL communicator is one rank; k, image and samples are NULL where a rank has none. */
#ifndef ARGAND_DIST_NUFFT_H
#define ARGAND_DIST_NUFFT_H

#include "comm.h"
#include "nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_dist_nufft argand_dist_nufft;

typedef struct argand_dist_nufft_info {
    argand_type type;
    int rank;
    int64_t n[3];          /* of the whole image */
    int64_t first, planes; /* this rank's part of the last axis; planes may be 0 */
    double tolerance;      /* as requested */
    double expected_error; /* as in nufft.h */
    int width;             /* window width in grid cells; 0 before points are set, and so is what follows */
    int64_t grid[3];       /* of the whole grid */
    int64_t grid_planes;   /* this rank's part of the grid, without ghosts */
    int64_t points;        /* of all ranks */
    int64_t points_given;  /* by this rank */
    int64_t points_held;   /* in this rank's part of the grid */
} argand_dist_nufft_info;

/* Creates a plan. The options are those of the whole image; window_only is ignored. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_nufft_create(argand_dist_nufft **plan, argand_comm *comm,
                                                                  argand_device *device,
                                                                  const argand_nufft_options *options);
/* Sets the points that this rank gives: k[axis] as in argand_nufft_set_points; k NULL: none. If a position of
 * any rank is not finite, the call fails on all ranks, and the plan keeps its former points. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_nufft_set_points(argand_dist_nufft *plan,
                                                                      argand_array *const k[]);
/* Compute the transform (type 2) and its adjoint (type 1). image: this rank's part, {nx[, ny], planes,
 * vectors}; samples: {points_given, vectors}. Trailing dimensions of 1 may be left out; further dimensions
 * count as vectors. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_nufft_apply(const argand_dist_nufft *plan,
                                                                 argand_array *samples,
                                                                 const argand_array *image);
ARGAND_API ARGAND_MUST_USE argand_status argand_dist_nufft_adjoint(const argand_dist_nufft *plan,
                                                                   argand_array *image,
                                                                   const argand_array *samples);
ARGAND_API void argand_dist_nufft_describe(const argand_dist_nufft *plan, argand_dist_nufft_info *info);
ARGAND_API void argand_dist_nufft_destroy(argand_dist_nufft *plan); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
