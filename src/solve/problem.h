/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem of argand_solve with its scales, as the solvers of this folder share it. */
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include "penalty/penalty.h"
#include "solve/smooth.h"
#include "solve/watch.h"

typedef struct problem {
    const argand_solve_options *options;
    const argand_op *op;
    argand_solver solver;
    int space, inner;
    double diagonal, image_scale; /* d and s of solve.h, measured or given */
    double largest;               /* eigenvalue of A^H W A, or a little less; 0: not known */
    argand_op *preconditioner;    /* the caller's or, of its spectrum, `spectral`; NULL: none */
    argand_op *spectral;
    smooth smooth;   /* with the quadratic regularizers */
    argand_array *x; /* the iterate, contiguous */
    watch watch;
} problem;

/* Arguments checked, a solver chosen; nothing to release yet. */
argand_status solve_problem_open(problem *p, const argand_array *x, const argand_op *op,
                                 const argand_array *y, const argand_solve_options *options);
argand_status solve_problem_make(problem *p, argand_array *x, const argand_array *y);
void solve_problem_release(problem *p);
/* beta of an entry of the list in the units of the data, and a hyperbola's delta in those of the image */
double solve_problem_beta(const problem *p, const argand_regularizer *r);
double solve_problem_delta(const problem *p, const argand_regularizer *r);
double solve_problem_scale(const problem *p); /* s of the regularizers; 1 if weights are absolute */
const argand_regularizer *solve_problem_regularizer(const problem *p,
                                                    int i); /* NULL past the end; those of weight 0 too */

/* solvers.c: whether the solver that is asked for takes the list; what the problem's solver does. */
argand_status solve_problem_check_solver(const argand_solve_options *o);
argand_status solve_problem_run(problem *p);

/* scale.c */
argand_status scale_diagonal(smooth *s, double *diagonal);
/* x = the image after a few CG steps on N x = b, how bright it is, and the largest eigenvalue of N that the
 * steps have seen (0 with a preconditioner). */
argand_status scale_start(smooth *s, const argand_op *preconditioner, argand_array *x, double *scale,
                          double *largest);
argand_status scale_largest(smooth *s,
                            double *largest); /* eigenvalue of the Hessian, a few percent above it */

argand_status solve_proximal(problem *p);
argand_status solve_admm(problem *p);
argand_status solve_half_quadratic(problem *p);

#endif
