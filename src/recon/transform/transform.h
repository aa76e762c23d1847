/* SPDX-License-Identifier: BSD-3-Clause */
/* From an image to the samples of a shot and back: choice and creation of transforms, weights of the
 * samples, coil images by the weighted adjoint. */
#ifndef RECON_TRANSFORM_H
#define RECON_TRANSFORM_H

#include "recon/session/session.h"

/* The maps that transforms of a slice need, and the segments of the last shot, which the next shot reuses
 * if it has the same times. Set it to zero before the first transform_make, and free it after the last. */
typedef struct recon_physics {
    int slice;
    argand_array *field, *r2star, *mask, *gradient[3];
    argand_array *t; /* times that the segments were made for */
    argand_segments *segments;
    argand_segments_info worst; /* the segments with the largest error so far */
} recon_physics;
argand_status physics_of_slice(const argand_sense *s, int slice, recon_physics *p);
void physics_free(recon_physics *p);
argand_status transform_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform);
/* Makes the transform of a slice for one set of points. */
argand_status transform_of_slice(const argand_sense *s, const recon_points *at, int slice,
                                 argand_op **transform);
argand_status transform_choose(argand_sense *s);
argand_status nufft_of_points(const argand_sense *s, const recon_points *at, argand_nufft **plan);
/* Makes the NUFFT with segments of measured phase, field map and R2*. measured.c */
argand_status measured_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                            argand_op **transform);
argand_status segmented_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform);
/* Describes one shot for the prediction, and counts the shots. */
argand_status segmented_problem(const argand_sense *s, argand_segments_problem *problem, int *shots);
/* Predicts if segments are faster than the exact DFT, and adds a note. */
argand_status segmented_pays(argand_sense *s, bool *pays);
/* Filters an image {grid} or {grid, bands} by a Hann window on k that is 0 from `reach` cells on along
 * each axis. */
argand_status partial_low_pass(const argand_sense *s, argand_array *image, const double reach[3]);
/* Sets options.density if it is AUTO, from the positions of the first volume's samples. */
argand_status density_choose(argand_sense *s);
/* Makes the density weights {samples} of options.density; NULL: none. *kind: their kind, which is not the
 * option's if the scan's weights are unusable for these samples. */
argand_status density_weights(argand_sense *s, const recon_samples *data, argand_array **weights,
                              argand_density *kind);
argand_status density_of_points(const argand_sense *s, const recon_points *at, argand_array **weights);
/* Makes the same weights as {samples, coils}; the coils have stride 0. */
argand_status density_of_samples(const argand_sense *s, const recon_samples *data, argand_array **weights);
/* Multiplies y by a {samples} array that all coils share. */
argand_status combine_weigh(argand_array *y, const argand_array *weights);
/* Computes images {grid, coils} = F_s^H (w y_s) of one shot; w {all samples} may be NULL. */
argand_status combine_one(const argand_sense *s, const argand_array *y, const recon_shot *shot,
                          const argand_array *weights, const argand_op *transform, argand_array *images);
/* Makes exp(-i P) of a shot, as a {grid, coils} array that repeats for all coils. */
argand_status combine_phase_factor(const argand_sense *s, const argand_array *phases, int shot,
                                   const argand_shape *shape, argand_array **phase_factor);
/* Computes images {grid, coils} = sum over shots of exp(-i P_s) F_s^H (w y_s). w {samples} and phases may
 * be NULL. */
argand_status combine_shots(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                            const argand_array *weights, const argand_array *phases, argand_array **images);
/* Makes an operator from coil images {grid, coils} to samples {samples, coils}, in which shot s sees the
 * images times exp(i P_s). phases {grid, shots}; NULL: none. shots.c */
argand_status shots_operator(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                             const argand_array *phases, argand_op **op);

#endif
