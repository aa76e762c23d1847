/* SPDX-License-Identifier: BSD-3-Clause */
/* Type of a kind of penalty. Each kind is one file of kinds/ and one line of kinds.inc. The parser, the
 * checks, the solvers, the automatic weight, help texts and messages read the table and name no kind. */
#ifndef PENALTY_KIND_H
#define PENALTY_KIND_H

#include <argand/penalty.h>
#include "base/status.h"

typedef struct prox prox;
struct tally;

typedef struct penalty_kind {
    argand_regularizer_kind id;
    const char *name;       /* name for the parser */
    const char *other_name; /* (optional) second name for the parser */
    const char *form;       /* syntax, such as "llr:WEIGHT[:BLOCK][:fixed]" */
    const char *summary;    /* short, for a sentence: "regularized by locally low rank" */
    const char *formula;    /* R(x) */
    const char *paper;      /* (optional) reference of the method */
    double usual;           /* first weight to try, for noise of 3 % of the image's brightness */

    /* Argument and scaling of R. */
    bool of_gradient; /* R depends on the first differences C x (argand_op_gradient), not on x */
    bool of_series;   /* R couples the images along the last axis, which is then not a spatial axis */
    bool is_moving;   /* its grid moves in each iteration, unless the text says "fixed" */
    bool is_map;      /* R is not known, only its map: the solution depends on the step, which stays fixed */
    int degree;       /* R(a x) = a^degree R(x); the hyperbola's delta scales with the image */

    /* Automatic weight, for penalties of degree 1. */
    double threshold;    /* first weight that is tried, in units of the noise of a pixel */
    bool keeps_to_noise; /* the weight is a threshold of coefficients: without a measured noise level the
                            search stays within 1.5 times the first weight */

    /* (optional) Reads one option after the weight. Returns false if it is not understood. */
    bool (*parse)(argand_regularizer *r, const char *option);
    /* (optional) Refuses image shapes that this kind cannot handle. */
    argand_status (*check)(const argand_regularizer *r, const argand_shape *shape, int space);
    /* Makes the proximal map of R as a function of x or C x. NULL: R is quadratic, 1/2 |x|^2 or 1/2 |C
     * x|^2. */
    argand_status (*prox)(prox **p, const argand_regularizer *r, argand_device *device,
                          const argand_shape *shape, int space);
    /* (optional) Half-quadratic form of a smooth R: sets the curvatures w of the quadratic 1/2 sum w |x|^2
     * that touches R at x from above. */
    argand_status (*curvatures)(argand_array *w, const argand_array *x, double delta,
                                const struct tally *sum);
} penalty_kind;

/* Returns the row of a kind (kinds.c). Unknown kinds have a row with id 0 and the name "unknown". */
const penalty_kind *penalty_kind_of(argand_regularizer_kind id);
/* Returns the row of a first or second name; NULL if there is none. */
const penalty_kind *penalty_kind_named(const char *name);
/* Returns the rows in the order of the help text; NULL after the last. */
const penalty_kind *penalty_kind_at(int i);

/* For `parse` above (parse.c): read a finite number; an integer from 1 to `most`. */
bool penalty_number(const char *chars, double *value);
bool penalty_whole(const char *chars, int most, int *value);

#endif
