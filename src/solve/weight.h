/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the weight of a regularizer: weight.c, with the noise that weight_noise.c finds. */
#ifndef SOLVE_WEIGHT_H
#define SOLVE_WEIGHT_H

#include <argand/solve.h>

typedef struct weight_search {
    const argand_op *op;
    const argand_array *y;
    argand_array *x;
    argand_solve_options options; /* of a trial */
    argand_regularizer list[ARGAND_MAX_REGULARIZERS];
    int which;                            /* regularizer whose weight is chosen */
    double diagonal, image_scale, energy; /* |W^1/2 y|^2 */
    double count, sum, squares;           /* of the samples; of their weights, and of these squared */
    double unknowns, left;                /* pixels that are not 0; |W^1/2 (y - A x)|^2 of least squares */
    double residual;                      /* of the last iteration */
    int trial;                            /* which the caller's monitor receives */
    argand_weight_choice choice;
    argand_monitor monitor; /* the caller's */
    void *monitor_context;
} weight_search;

/* Counts the pixels of the image of least squares that are not 0. */
argand_status weight_count_unknowns(weight_search *s);
/* Sets the noise of a sample, and where it was found, in the choice. given: its standard deviation; 0: not
 * known. */
argand_status weight_find_noise(weight_search *s, double given);

#endif
