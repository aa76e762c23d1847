/* SPDX-License-Identifier: BSD-3-Clause */
/* A factor of one real coordinate (t, or w without decay), stored at Chebyshev points of panels for fast
 * evaluation at many points: sums of hundreds of exponentials become polynomials of degree 23, exact up to
 * rounding. */
#ifndef SEGMENTS_SAMPLED_H
#define SEGMENTS_SAMPLED_H

#include "segments/factor.h"

enum { SAMPLED_NODES = 24 };

typedef struct sampled {
    int panels, terms;
    double low, high;
    bool imaginary;             /* the argument of the factor is i times the coordinate */
    double complex carrier;     /* the stored function is f(x) exp(carrier x), which oscillates slowly */
    double node[SAMPLED_NODES]; /* in [-1, 1] */
    double *value;              /* {2 terms, nodes, panels} */
} sampled;

/* turns: number of turns of f(x) exp(carrier x) over the range. */
argand_status sampled_make(sampled *s, const factor *f, double low, double high, double turns, bool imaginary,
                           double complex carrier);
void sampled_at(const sampled *s, double x, double complex *out);
void sampled_release(sampled *s);

#endif
