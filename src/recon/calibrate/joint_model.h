/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of nonlinear inversion: a grid of few pixels over the image's field of view, the samples
 * inside its k-space, and the transform between them, with field map, R2*, measured phase and phases of
 * shots. */
#ifndef RECON_JOINT_MODEL_H
#define RECON_JOINT_MODEL_H

#include "recon/calibrate/calibrate.h"

typedef struct joint_model {
    argand_sense small; /* the session on the small grid */
    recon_samples near;
    argand_op *normal;   /* T^H D T, T: coil images {small grid, coils} -> {samples, coils} */
    argand_array *right; /* T^H D y */
    double norm;         /* |D^1/2 y| */
} joint_model;

/* Returns the size of the small grid for an image of n pixels along an axis. */
int64_t joint_size(int64_t n);
/* Makes the model. The caller frees the model also after a failure. */
argand_status joint_model_make(joint_model *m, const argand_sense *s, const recon_source *image,
                               const recon_samples *more);
void joint_model_free(joint_model *m);

#endif
