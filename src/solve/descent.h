/* SPDX-License-Identifier: BSD-3-Clause */
/* CG steps with the Hessian H of a smooth part and of couplings. The data's gradient and residual are
 * updated along, so that a step costs one application of A^H W A. */
#ifndef SOLVE_DESCENT_H
#define SOLVE_DESCENT_H

#include "solve/smooth.h"

enum { DESCENT_GAMMA, DESCENT_GAMMA_OTHER, DESCENT_DELTA, DESCENT_NUMBERS }; /* counted from 0 */

typedef struct descent {
    smooth *smooth;
    const argand_op *preconditioner; /* NULL: none */
    argand_array *g;                 /* A^H W (A x - y) */
    argand_array *residual;          /* A x - y; NULL with `normal` */
    argand_array *r;                 /* minus the gradient of what is to be lowered: set before the steps */
    argand_array *p, *np, *hp, *z;
    argand_array *numbers;
} descent;

argand_status descent_make(descent *d, smooth *s, const argand_op *preconditioner, argand_array *numbers);
void descent_release(descent *d);
/* Computes g and residual from x itself: at the start, and at intervals against accumulated rounding. */
argand_status descent_refresh(descent *d, const argand_array *x);
argand_status descent_steps(descent *d, argand_array *x, int steps);
/* numbers[at] = |W^1/2 (y - A x)|^2, with `normal` that minus the data's energy (smooth_data) */
argand_status descent_data(descent *d, const argand_array *x, int at);

#endif
