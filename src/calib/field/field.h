/* SPDX-License-Identifier: BSD-3-Clause */
/* Field maps from echoes: phase unwrapping, the regularised fit, continuation outside the mask. */
#ifndef CALIB_FIELD_H
#define CALIB_FIELD_H

#include "calib/calib.h"

/* Returns phase minus the multiple of 2 pi that leaves it in [-pi, pi]. */
double unwrap_nearest(double phase);

typedef struct unwrap_task {
    int64_t n[3];
    const double *phase, *weight; /* weight may be NULL */
    const char *mask;             /* may be NULL */
    double *out;                  /* 0 outside the mask */
} unwrap_task;
argand_status unwrap_run(const unwrap_task *task);

/* The cost of a field at each pixel: sum over pairs of amount (1 - cos(angle + ratio x)), where x is w
 * times the shortest spacing, plus beta/2 times the squared second differences of x inside the mask. */
typedef struct field_fit {
    int64_t n[3], pixels;
    int pairs;
    double *amount, *angle; /* {pixels} for each pair */
    double *ratio;          /* spacing of each pair over the shortest spacing */
    const char *mask;
    double beta;
    int iterations; /* maximum number of surrogates */
    int threads;
    double *x;
    int done; /* number of surrogates minimised so far */
} field_fit;
/* Improves x with the first `pairs` pairs. Each step minimises a quadratic surrogate that lies above the
 * cost. */
argand_status field_fit_run(field_fit *fit, int pairs);

/* Replaces values outside the mask by the harmonic function (each value the mean of its neighbours) that
 * continues the values inside, to 1e-5 of the range of these. The old values outside do not matter. At
 * least one pixel must be inside. */
argand_status field_continue(double *values, const char *mask, const int64_t n[3], int threads);

#endif
