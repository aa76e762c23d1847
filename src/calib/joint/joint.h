/* SPDX-License-Identifier: BSD-3-Clause */
/* Joint estimation of image and coil maps from samples, for scans whose centre of k-space is too sparse
 * for calibration: nonlinear inversion (Uecker, Hohage, Block, Frahm, MRM 60:674, 2008), a Gauss-Newton
 * iteration whose regularization decreases from step to step. */
#ifndef CALIB_JOINT_H
#define CALIB_JOINT_H

#include <argand/op.h>

/* Samples y = T (rho c) of coil images rho c {grid, coils}. T includes field maps and phases of shots. */
typedef struct joint_problem {
    argand_op *normal;         /* T^H D T with density weights D: {grid, coils} to itself */
    const argand_array *right; /* T^H D y {grid, coils} */
    double norm;               /* |D^1/2 y| */
    int steps;                 /* number of Gauss-Newton steps */
} joint_problem;

/* Computes the Fourier coefficients {grid, coils} of the coil maps, with the centre at floor(n/2), on the
 * normal operator's device and in its precision. ARGAND_NUMERIC: the samples are all 0, or not finite. */
argand_status joint_solve(argand_array *coefficients, const joint_problem *p);

#endif
