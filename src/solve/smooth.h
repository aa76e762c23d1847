/* SPDX-License-Identifier: BSD-3-Clause */
/* The quadratic part of an objective, f(x) = 1/2 |W^1/2 (y - A x)|^2 + sum_i beta_i/2 <C_i x, w_i C_i x>: its
 * gradient and its Hessian, by A and A^H or by N = A^H W A. */
#ifndef SOLVE_SMOOTH_H
#define SOLVE_SMOOTH_H

#include <argand/solve.h>
#include "array/scalars.h"
#include "base/status.h"

typedef struct smooth_term {
    argand_op *op; /* C, kept; NULL means identity */
    double beta;
    argand_array *weights; /* w, real; owned; NULL means 1, and only then the term's energy is reported */
    argand_array *range;   /* C x */
    bool coupling;         /* of the Hessian alone: a splitting's (rho/2) |C x - ...|^2 */
} smooth_term;

typedef struct smooth {
    const argand_op *op, *normal;
    const argand_array *weights, *y;
    argand_array *b;                   /* A^H W y */
    argand_array *residual, *weighted; /* A x - y, W times it; without `normal` */
    argand_array *work;                /* x's shape */
    double energy;                     /* |W^1/2 y|^2 */
    smooth_term *terms;
    int count, capacity;
} smooth;

/* b and energy too; space for that many terms. Released also where it fails. */
argand_status smooth_make(smooth *s, const argand_op *op, const argand_op *normal,
                          const argand_array *weights, const argand_array *y, int capacity);
void smooth_release(smooth *s);
/* One more term; keeps op. *term (may be NULL) is valid until smooth_release. */
argand_status smooth_add(smooth *s, argand_op *op, double beta, bool coupling, smooth_term **term);
argand_status smooth_new_image(const smooth *s, argand_array **array);
argand_status smooth_new_data(const smooth *s, argand_array **array);
/* g = A^H W (A x - y); without `normal`, `residual` then holds A x - y. */
argand_status smooth_data_gradient(smooth *s, argand_array *g, const argand_array *x);
/* z += the terms' Hessian times p: of all of them, or without couplings. */
argand_status smooth_add_terms(smooth *s, argand_array *z, const argand_array *p);
argand_status smooth_add_quadratic(smooth *s, argand_array *g, const argand_array *x);
/* g = the gradient at x. numbers[data] = |W^1/2 (y - A x)|^2 or, with `normal`, that minus `energy`. */
argand_status smooth_gradient(smooth *s, argand_array *g, const argand_array *x, argand_array *numbers,
                              int data);
/* numbers[at] = sum of the terms' energies, without couplings */
argand_status smooth_penalty(smooth *s, const argand_array *x, argand_array *numbers, int at);
/* The sums of beta of all terms: of the identity, of C. */
void smooth_weights(const smooth *s, double *identity, double *differences);
/* z = A^H W A p; without `normal`, `residual` then holds A p. */
argand_status smooth_normal(smooth *s, argand_array *z, const argand_array *p);
argand_status smooth_hessian(smooth *s, argand_array *z, const argand_array *p);
/* The data's energy from numbers[data]. */
double smooth_data(const smooth *s, double number);

#endif
