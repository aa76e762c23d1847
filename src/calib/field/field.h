/* SPDX-License-Identifier: BSD-3-Clause */
/* Field maps from echoes: unwrapping, the regularised fit, continuation beyond the mask. */
#ifndef CALIB_FIELD_H
#define CALIB_FIELD_H

#include "calib/calib.h"

/* phase less the multiple of 2 pi that leaves it in [-pi, pi] */
double unwrap_nearest(double phase);

typedef struct unwrap_task {
    int64_t n[3];
    const double *phase, *weight; /* weight may be NULL */
    const char *mask;             /* may be NULL */
    double *out;                  /* 0 outside of the mask */
} unwrap_task;
argand_status unwrap_run(const unwrap_task *task);

/* The cost of a field at each pixel: sum over pairs of amount (1 - cos(angle + ratio x)), x = w times the
 * shortest spacing, plus beta/2 times the squared second differences of x inside the mask. */
typedef struct field_fit {
    int64_t n[3], pixels;
    int pairs;
    double *amount, *angle; /* {pixels} for each pair */
    double *ratio;          /* of each pair: its spacing over the shortest */
    const char *mask;
    double beta;
    int iterations; /* at most, of the surrogates */
    int threads;
    double *x;
    int done; /* surrogates that were minimised */
} field_fit;
/* Improves x with the first `pairs` pairs: each step minimises a quadratic that lies above the cost. */
argand_status field_fit_run(field_fit *fit, int pairs);

/* Values outside of the mask become those of the harmonic function with the values inside (the mean of their
 * neighbours), to 1e-5 of the range of these, whatever they were. At least one pixel is inside. */
argand_status field_continue(double *values, const char *mask, const int64_t n[3], int threads);

#endif
