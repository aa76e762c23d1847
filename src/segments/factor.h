/* SPDX-License-Identifier: BSD-3-Clause */
/* One factor of sum_l a_l(t) b_l(z): functions of a time, or of z = R + i w, that can be evaluated
 * anywhere, not only at the points that they were made from. */
#ifndef SEGMENTS_FACTOR_H
#define SEGMENTS_FACTOR_H

#include <argand/segments.h>
#include "segments/histogram.h"

enum { FACTOR_MOST_TERMS = 256 };

typedef struct factor {
    int terms, count;
    double complex *node; /* f_k(x) = exp(-node_k x), k < count */
    /* {terms, 2, count}: f_l(x) = sum_k weight_lk exp(-node_k x); for each k the real parts of all terms,
     * then the imaginary parts. NULL: count = terms, and f_l = exp(-node_l x) */
    double *weight;
    /* {terms, terms}, or NULL: the result is mix times f. Least squares divide by small singular values.
     * If mix is applied last, and not inside `weight`, the rounding errors that this amplifies lie in
     * directions that the other factor hardly has. */
    double complex *mix;
    /* linear and Hann: node_l = first + l step along the coordinate (Re x of times, Im x of z), and
     * f_l(x) = h((coordinate - node_l) / step) exp(-(x - node_l) middle), h(0) = 1, h(u) = 0 from |u| = 1 on
     */
    argand_interpolator window; /* LINEAR or HANN; otherwise 0 */
    bool of_space;              /* x is z */
    double first, step;
    double complex middle;
} factor;

argand_status factor_new(factor *f, int count, int terms, bool weighted);
void factor_release(factor *f);
/* Sets the weight of exp(-node_k x) in f_l. */
void factor_set_weight(factor *f, int l, int k, double complex weight);
/* Evaluates all terms at x. */
void factor_at(const factor *f, double complex x, double complex *out);
/* Makes the factor that, with the exponentials of `fixed`, best approximates exp(-x h) in the
 * least-squares sense over the points h: for every x it minimises sum_k weight_k |exp(-x h_k) - sum_l
 * f_l(x) fixed_l(h_k)|^2. ridge: smallest singular value to use, relative to the largest. */
argand_status factor_fit(factor *f, const factor *fixed, const histogram *h, double ridge);

#endif
