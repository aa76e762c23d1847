/* SPDX-License-Identifier: BSD-3-Clause */
/* From an image to the samples of a shot and back: which transform, how it is made, weights of the samples,
 * coil images by the weighted adjoint. */
#ifndef RECON_TRANSFORM_H
#define RECON_TRANSFORM_H

#include "recon/session/session.h"

/* The maps that transforms of a slice need, and the segments of the last shot, which serve the next one where
 * its times are the same. To be zeroed before the first transform_make and freed after the last. */
typedef struct recon_physics {
    int slice;
    argand_array *field, *r2star, *mask, *gradient[3];
    argand_array *t; /* that the segments were made for */
    argand_segments *segments;
    argand_segments_info worst; /* of all segments so far: the largest error */
} recon_physics;
argand_status physics_of_slice(const argand_sense *s, int slice, recon_physics *p);
void physics_free(recon_physics *p);
argand_status transform_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform);
/* The same for one set of points. */
argand_status transform_of_slice(const argand_sense *s, const recon_points *at, int slice,
                                 argand_op **transform);
argand_status transform_choose(argand_sense *s);
argand_status nufft_of_points(const argand_sense *s, const recon_points *at, argand_nufft **plan);
/* The NUFFT with segments of measured phase, and of what segmented_make has. measured.c. */
argand_status measured_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                            argand_op **transform);
argand_status segmented_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform);
/* What is to be predicted: of one shot, how many of which there are. */
argand_status segmented_problem(const argand_sense *s, argand_segments_problem *problem, int *shots);
/* Whether segments are predicted to be faster than the exact DFT; a note says so. */
argand_status segmented_pays(argand_sense *s, bool *pays);
/* image {grid} or {grid, bands} under a Hann window on k, 0 from so many cells on along each axis. */
argand_status partial_low_pass(const argand_sense *s, argand_array *image, const double reach[3]);
/* Sets options.density where it is left open, by where the samples of the first volume lie. */
argand_status density_choose(argand_sense *s);
/* Density weights {samples} by options.density; NULL: none. */
argand_status density_weights(argand_sense *s, const recon_samples *data, argand_array **weights);
argand_status density_of_points(const argand_sense *s, const recon_points *at, argand_array **weights);
/* The same {samples, coils}, coils with stride 0. */
argand_status density_of_samples(const argand_sense *s, const recon_samples *data, argand_array **weights);
/* y weighted by a {samples} array that all coils share. */
argand_status combine_weigh(argand_array *y, const argand_array *weights);
/* images {grid, coils} = F_s^H (w y_s) of one shot; w {all samples} may be NULL. */
argand_status combine_one(const argand_sense *s, const argand_array *y, const recon_shot *shot,
                          const argand_array *weights, const argand_op *transform, argand_array *images);
/* exp(-i P) of a shot, as a {grid, coils} array that repeats for all coils; *turn owns it. */
argand_status combine_phase_factor(const argand_sense *s, const argand_array *phases, int shot,
                                   const argand_shape *shape, argand_array **phase_factor);
/* images {grid, coils} = sum over shots of exp(-i P_s) F_s^H (w y_s). w {samples} may be NULL, phases too. */
argand_status combine_shots(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                            const argand_array *weights, const argand_array *phases, argand_array **images);
/* New operator from coil images {grid, coils} to the samples {samples, coils}: shot s sees exp(i P_s) of them.
 * phases {grid, shots}; NULL: none. shots.c */
argand_status shots_operator(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                             const argand_array *phases, argand_op **op);

#endif
