/* SPDX-License-Identifier: BSD-3-Clause */
/* The ellipses (ellipsoids) that a phantom is the sum of, as the literature lists them: X to the right, Y up,
 * Z towards the head, the head within [-1, 1]. Argand's fields of view map to it by X = 2 r_x, Y = -2 r_y, Z
 * = 2 r_z, so that rows that grow downwards, or to posterior, show the head upright. */
#ifndef MRI_PHANTOM_H
#define MRI_PHANTOM_H

#include <argand/mri.h>

typedef struct ellipsoid {
    double value;   /* added inside */
    double axis[3]; /* half lengths along its own axes; the third is not used in 2-D */
    double centre[3];
    double angle; /* degrees about Z, anticlockwise with Y up */
} ellipsoid;

/* The table, with its length and dimension (2 or 3). */
argand_status phantom_table(argand_phantom phantom, const ellipsoid **table, int *count, int *rank);

#endif
