/* SPDX-License-Identifier: BSD-3-Clause */
/* What the data themselves say about coils and phases: the part of k-space that calibrates, images of low
 * resolution, coil maps, phase maps of the shots. */
#ifndef RECON_CALIBRATE_H
#define RECON_CALIBRATE_H

#include "recon/session/session.h"

/* Estimated from the navigators or from the shots' own samples, relative to the first shot. */
argand_status phases_estimate(argand_sense *s, const recon_volume *v, const recon_samples *data,
                              argand_op *const *transforms, argand_array **out);
/* The part of k-space's radius, up to 1, in which at least half of the sampling theorem's cells hold a
 * sample; not less than `least`. */
argand_status calibrate_radius(const argand_sense *s, const recon_points *at, double least, double *most);
/* A Hann window {samples} over k-space up to that part of its radius; 1 everywhere where that is 1. */
argand_status calibrate_window(const argand_sense *s, const recon_points *at, double most,
                               argand_array **out);
/* Part of k-space's grid, in cells of one cycle: the cell of k = 0 has index floor(n / 2). */
typedef struct recon_block {
    int64_t first[3], size[3];
    double all; /* part of all cells that holds a sample */
} recon_block;
/* The largest block around the centre whose cells hold samples (all of them in Cartesian scans, 90 % in
 * others), up to most[axis] cells (0: no limit); moved where another one holds clearly more
 * energy.
 */
argand_status block_find(const argand_sense *s, const recon_samples *data, const int64_t most[3],
                         recon_block *block);
/* A Hann window {samples} over the block; 1 along axes that it covers. */
argand_status calibrate_block_window(const argand_sense *s, const recon_points *at, const recon_block *block,
                                     argand_array **out);
/* Coil images of low resolution, solved for: {n..., coils}, their k-space right in the block, which lies
 * around its centre; on a grid of few pixels over the same field of view, or the image's. */
argand_status lowres_images(const argand_sense *s, const recon_block *block, const recon_samples *data,
                            argand_op *const *transforms, const argand_array *phases, argand_array **images);
/* Samples, the transforms of their shots, and phase maps of these or NULL. */
typedef struct recon_source {
    const recon_samples *data;
    argand_op *const *transforms;
    const argand_array *phases;
    int slice;
} recon_source;
/* Coil maps {grid, coils[, sets]} estimated from what calibrates; image: the image's samples, where a
 * calibration scan is apart from them and they can be compared with maps, or NULL. *values: their eigenvalues
 * {grid[, sets]}, or NULL where they have none. */
argand_status calibrate_coils(argand_sense *s, const recon_source *from, const recon_source *image,
                              argand_array **maps, argand_array **values);
/* New maps {grid, coils} found together with an image, from the samples of both; more may be NULL. The phases
 * of the image's shots are not those of `more`: where there are some, and more, this alone calibrates. joint.c
 */
argand_status joint_maps(argand_sense *s, const recon_source *image, const recon_samples *more,
                         argand_array **maps);
/* Returns true if this takes minutes rather than hours for all slices, judged by the unknowns. */
bool joint_is_quick(const argand_sense *s);

#endif
