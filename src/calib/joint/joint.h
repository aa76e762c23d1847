/* SPDX-License-Identifier: BSD-3-Clause */
/* Image and coil maps from the samples together, for scans whose middle of k-space is too sparse to
 * calibrate: nonlinear inversion (Uecker, Hohage, Block, Frahm, MRM 60:674, 2008), a Gauss-Newton iteration
 * whose regularization falls from step to step. */
#ifndef CALIB_JOINT_H
#define CALIB_JOINT_H

#include <argand/op.h>

/* Samples y = T (rho c) of coil images rho c {grid, coils}. Field maps and phases of shots belong to T. */
typedef struct joint_problem {
    argand_op *normal;         /* T^H D T, D the density weights: {grid, coils} to itself */
    const argand_array *right; /* T^H D y {grid, coils} */
    double norm;               /* |D^1/2 y| */
    int steps;                 /* of Gauss and Newton */
} joint_problem;

/* Coil maps' Fourier coefficients {grid, coils}, centre at floor(n/2), on the normal operator's device and in
 * its precision. ARGAND_NUMERIC: the samples are all 0, or not finite. */
argand_status joint_solve(argand_array *coefficients, const joint_problem *p);

#endif
