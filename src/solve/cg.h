/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of argand_solve_cg. The data and each penalty are terms of one least-squares problem,
 *   sum_i scale_i/2 |W_i^1/2 (target_i - C_i x)|^2 ,
 * data: C = A, target y, weights W, scale 1; penalty: target 0, no weights, scale beta.
 *
 * cg.c has the recurrence, cg_terms.c the terms, cg_start.c the state and the gradient, cg_guards.c the
 * rules that check, report and end iterations, cg_normal.c the same solver for one operator A^H W A. */
#ifndef SOLVE_CG_H
#define SOLVE_CG_H

#include <argand/solve.h>
#include "array/basis.h"
#include "array/scalars.h"
#include "base/status.h"
#include "op/spread.h"
#include "solve/stopping.h"
#include "solve/watch.h"

typedef struct cg_term {
    const argand_op *op;
    double scale;
    const argand_array *weights; /* NULL means 1 */
    argand_array *residual;      /* r = target - C x, by recurrence */
    argand_array *step;          /* q = C p */
    argand_array *weighted;      /* W r or W q; only with weights */
} cg_term;

/* The numbers on the device. Two places for gamma = <s, z>: this iteration's and the one before. */
enum { CG_GAMMA, CG_GAMMA_OTHER, CG_DELTA, CG_GRADIENT, CG_ENERGY, CG_PENALTY, CG_NUMBERS };

/* The numbers of one iterate, on the host. */
typedef struct cg_numbers {
    double gamma;                /* <s, z> */
    double delta;                /* sum_i scale_i <q, W q> of the step that led here */
    double gradient;             /* |s| */
    double data_energy, penalty; /* |W^1/2 (y - A x)|^2, R(x) */
} cg_numbers;

typedef struct cg_solver {
    const argand_cg_options *options;
    const argand_op *op;
    argand_array *x;
    cg_term *terms; /* the data, then the penalties */
    int count;
    argand_array *s;        /* the negative gradient: sum_i scale_i C_i^H W_i r_i */
    argand_array *z;        /* M s; NULL without a preconditioner M, and then s stands for it */
    argand_array *p;        /* the search direction */
    argand_array *work;     /* x's shape; only with penalties */
    argand_array *numbers;  /* on the device, CG_NUMBERS of them */
    int gamma;              /* where gamma of the current iterate is: CG_GAMMA or CG_GAMMA_OTHER */
    basis gradients;        /* s of the iterates so far, which the next is made orthogonal to */
    cg_numbers now, before; /* of the current iterate and of the one before */
    watch watch;            /* units of what is reported: |W^1/2 y|, |gradient at x = 0| */
    double norm;            /* a lower bound of the largest singular value of all terms together */
    double shortest;        /* the least length of all residuals so far */
    bool solved, noise;     /* nothing is left but rounding; later iterations add more noise than signal */
    argand_outcome outcome;
    stopping stopping;
} cg_solver;

static inline const argand_array *cg_preconditioned(const cg_solver *c)
{
    return c->z ? c->z : c->s;
}

/* cg_start.c. Released also where cg_make fails. */
argand_status cg_make(cg_solver *c);
void cg_release(cg_solver *c);
/* s = A^H W r, made orthogonal to earlier gradients, z = M s, numbers[gamma] = <s, z>, and the residuals'
 * energies. */
argand_status cg_gradient(cg_solver *c, int gamma);
/* r = y - A x, s and z of it, p = z, for x = 0 or the given start. */
argand_status cg_start(cg_solver *c, const argand_array *y);

/* cg_guards.c. Copies the numbers of the current iterate to the host: the one place where it waits for the
 * device. */
argand_status cg_fetch(cg_solver *c);
/* Checks and reports the first iterate. */
argand_status cg_watch_start(cg_solver *c);
/* Checks the step that was made, reports the iterate, and asks the rules that end iterations. */
argand_status cg_watch_step(cg_solver *c);
bool cg_goes_on(const cg_solver *c);
/* Says why iterations ended, and takes the best iterate where noise ended them. */
argand_status cg_end(cg_solver *c);

/* cg_check.c: refuses arguments that do not fit together, weights below 0, data that are not finite */
argand_status cg_check(const argand_array *x, const argand_op *op, const argand_array *y,
                       const argand_cg_options *o);

/* cg_normal.c: with options->normal */
argand_status cg_normal(argand_array *x, const argand_op *op, const argand_array *y,
                        const argand_cg_options *o);

/* cg_terms.c: each for all terms */
argand_status cg_terms_make(cg_solver *c);
void cg_terms_release(cg_solver *c);
/* q_i = C_i v */
argand_status cg_terms_apply(cg_solver *c, const argand_array *v);
/* q_i = C_i p and numbers[CG_DELTA] = sum_i scale_i <q_i, W q_i> */
argand_status cg_terms_step(cg_solver *c);
/* r_i -= q_i */
argand_status cg_terms_subtract(cg_solver *c);
/* r_i -= (numbers[gamma] / numbers[CG_DELTA]) q_i */
argand_status cg_terms_advance(cg_solver *c, int gamma);
/* s = sum_i scale_i C_i^H W r_i, and the energies of the residuals r_i */
argand_status cg_terms_gradient(cg_solver *c);

#endif
