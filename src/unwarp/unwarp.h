/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions shared by the files of this folder. */
#ifndef UNWARP_UNWARP_H
#define UNWARP_UNWARP_H

#include <argand/mri.h>
#include <complex.h>

enum { MOST_ORDER = 30, MOST_GRADIENT_TERMS = 4096 };

/* A coefficient with its normalisation: Re(weight R_nm), where R_nm = r^n P_nm e^(i m phi) / (n + m)!. */
typedef struct harmonic {
    int axis, n, m;
    double complex weight;
} harmonic;

typedef struct harmonics {
    double radius;
    int order; /* largest n */
    int64_t count;
    harmonic *terms;
} harmonics;

/* Checks the coefficients. Free with harmonics_free, also after a failure. */
argand_status harmonics_make(harmonics *h, const argand_gradient_coefficients *coefficients);
void harmonics_free(harmonics *h);
/* Computes the displacement in mm and its derivatives at a position in mm. */
void harmonics_at(const harmonics *h, const double position[3], double displacement[3], double jacobian[9]);

/* Replaces a volume by the coefficients of its cubic B-spline; it is mirrored at the first and last
 * voxels. */
argand_status spline_prefilter(double complex *volume, const int64_t n[3], int threads);
/* Returns the value at a point in voxels that is inside of the volume, from the coefficients. */
double complex spline_value(const double complex *coefficients, const int64_t n[3], const double at[3]);
/* Return the values between the eight neighbours, and of the nearest voxel. */
double complex linear_value(const double complex *volume, const int64_t n[3], const double at[3]);
double complex nearest_value(const double complex *volume, const int64_t n[3], const double at[3]);

#endif
