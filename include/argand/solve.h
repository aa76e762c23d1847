/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h: iterative solution of linear least squares with operators, and its monitor. */
#ifndef ARGAND_SOLVE_H
#define ARGAND_SOLVE_H

#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a solver tells after each iteration (iteration 0: the start). */
typedef struct argand_progress {
    int iteration, iterations; /* done, and at most */
    double residual;           /* |W^1/2 (y - A x)| / |W^1/2 y| */
    double gradient;           /* |gradient| / |gradient at x = 0| */
    double penalty;            /* R(x), 0 without penalties */
    double seconds;            /* since the start */
} argand_progress;

/* Returns false to stop: the solver then returns ARGAND_STOPPED and x holds the last iterate. */
typedef bool (*argand_monitor)(void *context, const argand_progress *progress);

/* A quadratic penalty beta/2 |C x|^2. */
typedef struct argand_penalty {
    argand_op *op; /* C */
    double beta;
} argand_penalty;

typedef struct argand_cg_options {
    int iterations;                  /* at most; 0 means 10 */
    double tolerance;                /* stop when |gradient| / |gradient at 0| falls below it; 0: never */
    const argand_array *weights;     /* W: real, >= 0, y's shape or strides of 0; NULL means 1 */
    const argand_penalty *penalties; /* with `penalty_count` entries */
    int penalty_count;
    argand_op
        *preconditioner; /* M ~ inverse of the normal operator, Hermitian positive; NULL means identity */
    bool use_start;      /* x holds a start; otherwise 0 */
    argand_monitor monitor;
    void *monitor_context;
} argand_cg_options;

/* min_x 1/2 |W^1/2 (y - A x)|^2 + sum_i beta_i/2 |C_i x|^2 by preconditioned conjugate gradients on the
 * normal equations (CGLS form: the data residual is updated, never formed from differences of large numbers).
 * No rule in it depends on the scale of y or A. Stops early where the step becomes 0/0 (solved to rounding)
 * or a number is not finite (ARGAND_NUMERIC). Reference: Hestenes and Stiefel 1952; Bjorck, Numerical Methods
 * for Least Squares, 1996, 7.4. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_cg(argand_array *x, const argand_op *op,
                                                         const argand_array *y,
                                                         const argand_cg_options *options);

#ifdef __cplusplus
}
#endif
#endif
