/* SPDX-License-Identifier: BSD-3-Clause */
/* The ellipses (ellipsoids) whose sum is a phantom, as the literature lists them: X to the right, Y up, Z
 * towards the head, the head within [-1, 1]. Argand's fields of view are mapped by X = 2 r_x, Y = -2 r_y,
 * Z = 2 r_z, so that rows that grow downwards, or to posterior, show the head upright. */
#ifndef MRI_PHANTOM_H
#define MRI_PHANTOM_H

#include <argand/mri.h>

typedef struct ellipsoid {
    double value;   /* value added inside */
    double axis[3]; /* half lengths along its axes; the third is unused in 2-D */
    double centre[3];
    double angle; /* degrees about Z, anticlockwise with Y up */
} ellipsoid;

/* Returns the table of a phantom, its length and dimension (2 or 3). */
argand_status phantom_table(argand_phantom phantom, const ellipsoid **table, int *count, int *rank);

#endif
