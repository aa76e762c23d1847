/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of argand_solve_cg. The data and each penalty are terms of one least-squares problem,
 *   sum_i scale_i/2 |W_i^1/2 (target_i - C_i x)|^2 ,
 * data: C = A, target y, weights W, scale 1; penalty: target 0, no weights, scale beta. */
#ifndef SOLVE_CG_H
#define SOLVE_CG_H

#include <argand/solve.h>
#include "array/scalars.h"
#include "base/status.h"

typedef struct cg_term {
    const argand_op *op;
    double scale;
    const argand_array *weights; /* NULL means 1 */
    argand_array *residual;      /* target - C x, by recurrence */
    argand_array *step;          /* C p */
    argand_array *weighted;      /* W times one of them; only with weights */
} cg_term;

/* cg_check.c: refuses arguments that do not fit together, weights below 0, data that are not finite */
argand_status cg_check(const argand_array *x, const argand_op *op, const argand_array *y,
                       const argand_cg_options *o);

/* cg_normal.c: with options->normal */
argand_status cg_normal(argand_array *x, const argand_op *op, const argand_array *y,
                        const argand_cg_options *o);

argand_status cg_term_make(cg_term *term, const argand_op *op, double scale, const argand_array *weights);
void cg_term_release(cg_term *term);
/* step = C p, and numbers[at] = scale <step, W step>, += with `add` */
argand_status cg_term_step(cg_term *term, const argand_array *p, argand_array *numbers, int at, bool add);
/* residual -= step */
argand_status cg_term_subtract(cg_term *term);
/* residual -= (numbers[above] / numbers[below]) step */
argand_status cg_term_advance(cg_term *term, const argand_array *numbers, int above, int below);
/* numbers[at] = factor <residual, W residual>, += with `add`; leaves W residual in `weighted`, for
 * cg_term_gradient */
argand_status cg_term_energy(cg_term *term, double factor, argand_array *numbers, int at, bool add);
/* s += scale C^H W residual (s = where `first`); `work` has x's shape. After cg_term_energy. */
argand_status cg_term_gradient(const cg_term *term, argand_array *s, argand_array *work, bool first);

#endif
