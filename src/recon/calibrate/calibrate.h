/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration from the data: the part of k-space that calibrates, low-resolution images, coil maps, phase
 * maps of the shots. */
#ifndef RECON_CALIBRATE_H
#define RECON_CALIBRATE_H

#include "recon/session/session.h"

/* Estimates phase maps from the navigators or from the shots' own samples, relative to the first shot. */
argand_status phases_estimate(argand_sense *s, const recon_volume *v, const recon_samples *data,
                              argand_op *const *transforms, argand_array **out);
/* Computes the radius of k-space, up to 1, in which at least half of the cells of the sampling theorem
 * hold a sample; not less than `least`. */
argand_status calibrate_radius(const argand_sense *s, const recon_points *at, double least, double *most);
/* Makes a Hann window {samples} over k-space up to the radius `most`; 1 everywhere if `most` is 1. */
argand_status calibrate_window(const argand_sense *s, const recon_points *at, double most,
                               argand_array **out);
/* A block of k-space's grid, in cells of one cycle; the cell of k = 0 has index floor(n / 2). */
typedef struct recon_block {
    int64_t first[3], size[3];
    double all; /* fraction of all cells that hold samples */
} recon_block;
/* Finds the largest block around the centre whose cells hold samples (all in Cartesian scans, 90 % in
 * others), up to most[axis] cells (0: no limit). The block moves if another block of its size holds
 * clearly more energy. */
argand_status block_find(const argand_sense *s, const recon_samples *data, const int64_t most[3],
                         recon_block *block);
/* Makes a Hann window {samples} over the block; 1 along axes that the block covers. */
argand_status calibrate_block_window(const argand_sense *s, const recon_points *at, const recon_block *block,
                                     argand_array **out);
/* Solves for low-resolution coil images {n..., coils} whose k-space is correct inside the block, which
 * lies around its centre. The grid is the image's, or one of few pixels over the same field of view. */
argand_status lowres_images(const argand_sense *s, const recon_block *block, const recon_samples *data,
                            argand_op *const *transforms, const argand_array *phases, argand_array **images);
/* Transforms images {n..., coils} to k-space in place. */
argand_status lowres_kspace(const argand_sense *s, argand_array *images);
/* Samples, the transforms of their shots, and the phase maps of these or NULL. */
typedef struct recon_source {
    const recon_samples *data;
    argand_op *const *transforms;
    const argand_array *phases;
    int slice;
} recon_source;
/* Estimates coil maps {grid, coils[, sets]} from calibration data. image: the image's samples, if there is
 * a separate calibration scan and they can be compared with maps, or NULL. *values: eigenvalues {grid[,
 * sets]}, or NULL if the maps have none. */
argand_status calibrate_coils(argand_sense *s, const recon_source *from, const recon_source *image,
                              argand_array **maps, argand_array **values);
/* Makes SPIRiT's operator G - I of images {grid, coils} from the block of calibration data that is sampled
 * fully. spirit.c */
argand_status calibrate_spirit(argand_sense *s, const recon_source *from, argand_op **op);
/* Estimates maps {grid, coils} together with an image, from the samples of the image and of `more`, which
 * may be NULL. The shots' phases hold for the image's samples only; if there are phases, only `more`, if
 * given, calibrates. cells: the part of k-space that was used. joint.c */
argand_status joint_maps(argand_sense *s, const recon_source *image, const recon_samples *more,
                         argand_array **maps, int64_t cells[3]);
void joint_note(argand_sense *s, const int64_t cells[3]); /* says that the image has such maps */
/* Returns true if this takes minutes rather than hours for all slices, judged by the unknowns. */
bool joint_is_quick(const argand_sense *s);

#endif
