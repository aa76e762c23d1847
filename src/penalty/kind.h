/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of penalty is one value of this type: one file of kinds/ and one line of kinds.inc. The parser, the
 * checks, the solvers, the automatic weight, help texts and messages read the table and name no kind. */
#ifndef PENALTY_KIND_H
#define PENALTY_KIND_H

#include <argand/penalty.h>
#include "base/status.h"

typedef struct prox prox;
struct tally;

typedef struct penalty_kind {
    argand_regularizer_kind id;
    const char *name;       /* as the parser takes it */
    const char *other_name; /* (optional) a second name that the parser takes */
    const char *form;       /* "llr:WEIGHT[:BLOCK][:fixed]" */
    const char *summary;    /* short, for a sentence: "regularized by locally low rank" */
    const char *formula;    /* R(x) */
    const char *paper;      /* (optional) where the method comes from */
    double usual;           /* a weight to begin with, for noise of 3 % of the image's brightness */

    /* What R is a function of, and how it scales. */
    bool of_gradient; /* of C x, the first differences (argand_op_gradient), instead of x */
    bool of_series;   /* couples the images along the last axis, which therefore is no axis of space */
    bool is_moving;   /* has a grid that moves from iteration to iteration, unless the text says "fixed" */
    int degree;       /* R(a x) = a^degree R(x); the hyperbola's delta scales with the image */

    /* The automatic weight, for penalties of degree 1. */
    double threshold;    /* the first weight that is tried, in units of the noise in a pixel */
    bool keeps_to_noise; /* the weight is a threshold of coefficients: without a measured noise level the
                            search stays within 1.5 times the first weight */

    /* (optional) Reads one option behind the weight; false where it is not understood. */
    bool (*parse)(argand_regularizer *r, const char *option);
    /* (optional) Refuses what this kind cannot do with an image of this shape. */
    argand_status (*check)(const argand_regularizer *r, const argand_shape *shape, int space);
    /* The proximal map of R as a function of x or C x. NULL: R is quadratic, 1/2 |x|^2 or 1/2 |C x|^2. */
    argand_status (*prox)(prox **p, const argand_regularizer *r, argand_device *device,
                          const argand_shape *shape, int space);
    /* (optional) The half-quadratic form: the curvatures w of the quadratic 1/2 sum w |x|^2 that touches R
     * at x from above. Such an R is smooth. */
    argand_status (*curvatures)(argand_array *w, const argand_array *x, double delta,
                                const struct tally *sum);
} penalty_kind;

/* kinds.c: the row of a number; for numbers that no kind has, a row with id 0 and the name "unknown". */
const penalty_kind *penalty_kind_of(argand_regularizer_kind id);
/* The row of a name of either sort; NULL where no kind has it. */
const penalty_kind *penalty_kind_named(const char *name);
/* The rows in the order of help; NULL past the last one. */
const penalty_kind *penalty_kind_at(int i);

/* parse.c, for `parse` above: a finite number; a whole number of 1 to `most`. */
bool penalty_number(const char *chars, double *value);
bool penalty_whole(const char *chars, int most, int *value);

#endif
