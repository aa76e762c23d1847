/* SPDX-License-Identifier: BSD-3-Clause */
/* Image and coil maps from the samples together (--coils joint), for scans whose middle of k-space is too
 * sparse to calibrate: nonlinear inversion (Uecker, Hohage, Block, Frahm, MRM 60:674, 2008), a Gauss-Newton
 * iteration whose regularization falls from step to step. nlinv.c solves, maps.c goes from a scan to maps. */
#ifndef CLI_JOINT_H
#define CLI_JOINT_H

#include "common/report.h"

#include <complex.h>

/* One slice: samples {points, coils} at positions k in cycles per field of view of a grid of n pixels. */
typedef struct joint_problem {
    argand_device *host;
    int64_t n[3], points;
    int coils, steps; /* of Gauss and Newton */
    double *k[3];
    double complex *samples;
} joint_problem;

/* Coil maps' Fourier coefficients {n..., coils}, centre at floor(n/2). */
argand_status joint_solve(double complex *coefficients, const joint_problem *p);

/* Maps {nx, ny, nz, coils[, slices]} on the session's grid, of each slice's first volume; the sum of |S|^2
 * over the coils is 1. */
argand_status joint_maps(argand_array **maps, argand_device *device, const argand_scan *scan,
                         const argand_sense *session, int encoding, report *out);

/* Whether that is done in minutes rather than hours: by the unknowns of all slices. */
bool joint_is_quick(const argand_scan *scan, const argand_sense *session);

#endif
