/* SPDX-License-Identifier: BSD-3-Clause */
/* Toeplitz kernels as an operator, without coil maps (op/toeplitz.c) and with them (mri/sense_normal.c). */
#ifndef OP_TOEPLITZ_H
#define OP_TOEPLITZ_H

#include "op/op.h"
#include "toeplitz/apply.h"

/* Returns the shape of an image, or of the images of a subspace. */
argand_shape toeplitz_shape(const argand_toeplitz *t);
/* Domain and range are of this shape; vectors and maps as in toeplitz_apply_create. */
argand_status toeplitz_op(argand_op **op, const char *name, argand_toeplitz *toeplitz,
                          const argand_shape *shape, int64_t vectors, const argand_array *maps);

#endif
