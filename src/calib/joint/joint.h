/* SPDX-License-Identifier: BSD-3-Clause */
/* Image and coil maps from the samples together, for scans whose middle of k-space is too sparse to
 * calibrate: nonlinear inversion (Uecker, Hohage, Block, Frahm, MRM 60:674, 2008), a Gauss-Newton iteration
 * whose regularization falls from step to step. */
#ifndef CALIB_JOINT_H
#define CALIB_JOINT_H

#include <complex.h>
#include "calib/calib.h"

/* Samples {points, coils} at positions k in cycles per field of view of a grid of n pixels, |k| <= n/2. */
typedef struct joint_problem {
    argand_device *host; /* has doubles, and its arrays lie in the host's memory */
    int64_t n[3], points;
    int coils, steps; /* of Gauss and Newton */
    double *k[3];
    const double complex *samples;
} joint_problem;

/* Coil maps' Fourier coefficients {n..., coils}, centre at floor(n/2). ARGAND_NUMERIC: the samples are all 0,
 * or not finite. */
argand_status joint_solve(double complex *coefficients, const joint_problem *p);

#endif
