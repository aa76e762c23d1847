/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motion from samples: an image, and the position of the object for each row (shot or repetition), are
 * fitted together to the samples near the centre of k-space, from coarse to fine. */
#ifndef CALIB_MOTION_H
#define CALIB_MOTION_H

#include <complex.h>
#include "calib/calib.h"

/* Parameters of a row: tx, ty and rz in a plane; tx, ty, tz, rx, ry, rz in a volume; mm and degrees. */
enum { MOTION_MOST = 6 };

/* rigid.c: R = Rz Ry Rx; its derivatives by the three angles in degrees; a row's parameters by number. */
void rigid_matrix(double r[3][3], const double degrees[3]);
void rigid_derivative(double d[3][3], const double degrees[3], int angle);
double *rigid_parameter(argand_rigid *m, int rank, int number);

/* The samples of a level: |k| below a radius, and an image of pixels fine enough for them. */
typedef struct motion_level {
    int rank, params;
    int64_t n[3], pixels, points, coils, rows;
    double fov[3];                  /* mm */
    double *k[3];                   /* cycles per mm, {points}; 0 on missing axes */
    int32_t *row;                   /* {points} */
    int64_t *filled;                /* samples of each row */
    double *w;                      /* weights {points}, of mean 1 */
    double complex *y;              /* {points, coils} */
    double complex *maps;           /* {pixels, coils} */
    double diagonal;                /* mean diagonal of A^H W A */
    double complex *phase;          /* of the shifts {points} */
    argand_nufft *plan;             /* with the points rotated back */
    argand_array *at[3];            /* these points, in cycles per field of view */
    argand_array *images, *samples; /* {n, coils}, {points, coils} */
} motion_level;

/* The input of every level: all samples, and maps of any grid. */
typedef struct motion_source {
    int rank;
    int64_t points, coils, rows, n[3];
    double fov[3];
    double *k[3]; /* cycles per field of view */
    const int32_t *row;
    const double complex *y, *maps;
} motion_source;

/* level.c. cycles: the radius, in cycles per longest field of view. */
argand_status level_make(motion_level *l, const motion_source *from, double cycles);
void level_free(motion_level *l);
/* Moves the points to where the object before the motion is sampled. */
argand_status level_place(motion_level *l, const argand_rigid *motion);
/* Compute the samples of an image {pixels}, and the adjoint. */
argand_status level_apply(const motion_level *l, double complex *samples, const double complex *image);
argand_status level_adjoint(const motion_level *l, double complex *image, const double complex *samples);
/* Computes the derivatives {points, coils, params} of the samples of an image by the parameters of their
 * row. */
argand_status level_jacobian(const motion_level *l, double complex *jacobian, const double complex *image,
                             const argand_rigid *motion);

/* joint.c: an image and the residual y - A x of the samples. */
typedef struct motion_fit {
    const motion_level *level;
    double complex *x, *r;
    double objective; /* sum w |r|^2 */
} motion_fit;

argand_status fit_begin(motion_fit *f, const motion_level *l);
void fit_free(motion_fit *f);
/* Takes CG steps for the image alone, from the image that is there. */
argand_status fit_image(motion_fit *f, int steps);
/* Takes CG steps of the Gauss-Newton problem for image and motion together: the changes dx {pixels} and
 * change {rows}, none for row 0. deviation {rows, params}: standard deviations for the noise of the
 * residual and a known image. */
argand_status fit_step(const motion_fit *f, const argand_rigid *motion, int steps, double complex *dx,
                       argand_rigid *change, double *deviation);

#endif
