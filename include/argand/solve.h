/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h: iterative solution of least squares with operators, alone or with regularizers, and its monitor.
 *
 * Limits: ARGAND_MAX_REGULARIZERS regularizers, ARGAND_NOISE_NODES nodes, memory for the iterates (each
 * function says how much). Threads: a solve uses its operators alone meanwhile (op.h); the monitor is called
 * by the thread that called. Refused: arrays that do not have the operator's shapes, type or device, weights
 * that are not real, negative numbers where they make no sense, parts that do not fit together
 * (ARGAND_ARGUMENT); NaN and infinities in x, y or weights, and operators that are not what they claim to be:
 * an adjoint that is none, a preconditioner that is not positive (ARGAND_NUMERIC, when it is seen). NULL: see
 * argand.h; options may be NULL where all of them have a default. */
#ifndef ARGAND_SOLVE_H
#define ARGAND_SOLVE_H

#include "op.h"
#include "penalty.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a solver reports after each iteration (iteration 0: the start). */
typedef struct argand_progress {
    int iteration, iterations; /* done, and at most */
    double residual;           /* |W^1/2 (y - A x)| / |W^1/2 y| */
    double gradient; /* |gradient| / |gradient at x = 0|; what stands for it where R has corners: see
                        argand_solver */
    double penalty;  /* R(x), 0 without penalties; so the objective is (residual |W^1/2 y|)^2 / 2 + penalty */
    double seconds;  /* since the start */
    int trial; /* of argand_solve_weight: 1 while it solves by least squares, 2 and on with the weights that
                  it tries, 0 with the weight that it has chosen; else 0 */
} argand_progress;

/* Returns false to stop: the solver then returns ARGAND_STOPPED and x holds the last iterate. */
typedef bool (*argand_monitor)(void *context, const argand_progress *progress);

/* A quadratic penalty beta/2 |C x|^2. */
typedef struct argand_penalty {
    argand_op *op; /* C */
    double beta;
} argand_penalty;

/* Which eigenvalues of A^H W A noise of the samples falls on, and how much of it on each: a quadrature of a
 * few nodes. From it CG estimates the noise in its iterates. */
enum { ARGAND_NOISE_NODES = 6 };
typedef struct argand_noise_spectrum {
    int count;
    double node[ARGAND_NOISE_NODES],
        weight[ARGAND_NOISE_NODES]; /* their sum: |A^H W n|^2 of noise with E |n|^2 = 1 */
    double total;                   /* the sum of W over all samples */
} argand_noise_spectrum;
/* By ARGAND_NOISE_NODES CG steps on noise: as many pairs of A and A^H, or of `normal` (A^H W A; NULL: by op),
 * and memory for data and five images meanwhile. The same numbers whenever it is repeated. It serves all
 * problems of about this operator. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_noise(argand_noise_spectrum *spectrum,
                                                            const argand_op *op, const argand_array *weights,
                                                            argand_op *normal);

/* Why CG ended. */
typedef enum argand_stop {
    ARGAND_STOP_ITERATIONS = 0, /* all were done */
    ARGAND_STOP_CONVERGED = 1,  /* the gradient is below the tolerance, or rounding */
    ARGAND_STOP_NOISE = 2       /* more would add more noise than signal: x is the iterate before that */
} argand_stop;
typedef struct argand_outcome {
    argand_stop stop;
    int iteration; /* of which x is the iterate */
    double noise;  /* estimate of |noise of x| / |x|, with a noise spectrum; else 0 */
} argand_outcome;

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
    argand_op *
        normal; /* A^H W A as one operator (Toeplitz); NULL: by apply and adjoint. See argand_solve_options */
    /* Stop also where more iterations would bring more noise than signal, by generalised cross-validation,
     * which needs no noise level; x is then the best iterate, two or three before the last. NULL: no. Not
     * with penalties, preconditioner or start */
    const argand_noise_spectrum *noise;
    argand_outcome *outcome; /* NULL: not wanted */
    int kept_gradients; /* each gradient is made orthogonal to so many, the first ones; 0: as below; -1: none
                         */
} argand_cg_options;

/* min_x 1/2 |W^1/2 (y - A x)|^2 + sum_i beta_i/2 |C_i x|^2 by preconditioned conjugate gradients on the
 * normal equations (CGLS form: the data residual is updated, never formed from differences of large numbers).
 * No rule in it depends on the scale of y or A. Stops early where the step becomes 0/0 (solved to rounding)
 * or a number is not finite (ARGAND_NUMERIC). Reference: Hestenes and Stiefel 1952; Bjorck, Numerical Methods
 * for Least Squares, 1996, 7.4.
 * Gradients are kept and each is made orthogonal to those before it, so that rounding does not bring back
 * what was solved: iterates in single precision are those in double to a few roundings, on every device.
 * Memory: an image for each iteration up to 64, at most 256 MiB and twice the data, but 8 images at least;
 * later gradients are made orthogonal to those alone. Operators are linear over the complex numbers, or have
 * a real range and are so over the real ones. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_cg(argand_array *x, const argand_op *op,
                                                         const argand_array *y,
                                                         const argand_cg_options *options);

/* Which iteration. "Pair" is one application of A and one of A^H, or of `normal`. */
typedef enum argand_solver {
    ARGAND_SOLVER_AUTO =
        0, /* CG, HALF_QUADRATIC, POGM or ADMM: the first that takes the list of regularizers */
    ARGAND_SOLVER_CG = 1, /* quadratic ones: argand_solve_cg; a pair an iteration */
    /* quadratic ones and hyperbolas: `inner` CG steps under a quadratic that touches R from above, then
     * another (Geman and Reynolds 1992); 1 + inner pairs. The objective never rises. */
    ARGAND_SOLVER_HALF_QUADRATIC = 2,
    /* quadratic ones and one of wavelet, low rank; a pair an iteration, and some before the first for the
     * start. Both with adaptive restart. FISTA: Beck and Teboulle 2009; POGM: Taylor, Hendrickx,
     * Glineur 2017, Kim and Fessler 2018, half of FISTA's bound. Gradient reported: |composite gradient
     * mapping| / |gradient at 0|. */
    ARGAND_SOLVER_FISTA = 3,
    ARGAND_SOLVER_POGM = 4,
    /* any list, total variation too; `inner` CG steps for each image update, which carry the gradient along:
     * inner pairs. Boyd et al. 2011, with penalties balanced by relative residuals (Wohlberg 2017). Gradient
     * reported: the larger of |grad f(x) + sum K^H dual| / |gradient at 0| and the largest |K x - z| / max(|K
     * x|, |z|): both are 0 at the solution. Of wavelets and low rank, R is reported of z, which becomes x. */
    ARGAND_SOLVER_ADMM = 5
} argand_solver;

ARGAND_API const char *
argand_solver_name(argand_solver solver); /* "cg", "half-quadratic", "fista", "pogm", "admm" */
/* Describes a solver, for reports. Texts belong to the library and are valid for ever. ARGAND_ARGUMENT for a
 * solver that is not known. */
typedef struct argand_solver_info {
    const char *name;    /* "half-quadratic" */
    const char *summary; /* "half-quadratic steps of conjugate gradients" */
    const char *paper;   /* where the method comes from; NULL: a textbook */
} argand_solver_info;
ARGAND_API ARGAND_MUST_USE argand_status argand_solver_describe(argand_solver solver,
                                                                argand_solver_info *info);
/* What ARGAND_SOLVER_AUTO means for this list. */
ARGAND_API argand_solver argand_solver_choose(const argand_regularizer *regularizers, int count);

/* Weights have no scale. With d the mean diagonal of A^H W A and s = sqrt(sum |x1|^4 / sum |x1|^2), the
 * magnitude of the image where it is bright, however much empty space is around it, what is minimised is
 *
 *     1/2 |W^1/2 (y - A x)|^2 + d s^2 sum_i weight_i R_i(x / s)
 *
 * so that neither the units of the data, nor the scale of coil maps or density weights, nor trajectory,
 * number of samples and iterations change what a weight does. x1 is the image of least squares after 10 CG
 * steps (5 with a preconditioner or a spectrum), where the iteration starts, too, unless a start is given.
 * Quadratic regularizers thus have weight_i d, as `beta` of argand_penalty, and those of first degree (TV,
 * wavelet, low rank) weight_i d s. */
typedef struct argand_solve_options {
    argand_solver solver;
    int iterations; /* at most; 0 means 10 for CG, 50 otherwise */
    int inner; /* CG steps inside an iteration of ADMM and HALF_QUADRATIC; 0 means 4, of ADMM with a spectrum
                  1 */
    double tolerance;            /* stop when `gradient` of argand_progress falls below it; 0: never */
    const argand_array *weights; /* W: real, >= 0, y's shape or strides of 0; NULL means 1 */
    const argand_regularizer *regularizers;
    int regularizer_count;
    int space; /* leading axes of x that are space; 0: all up to 3, but never the last one where there is
                  ARGAND_LOW_RANK */
    argand_op
        *normal; /* A^H W A as one operator, e.g. Toeplitz (W included): A^H is then applied once, for A^H W
                    y, and `normal` in each iteration. The residual is computed as |y|^2 - 2 Re <x, b> + <x,
                    N x>: right to about sqrt(rounding of y's type) of |y|, and to the error of `normal` */
    argand_op *preconditioner; /* of CG and of the CG steps inside others; as in argand_cg_options */
    /* Eigenvalues of a circulant matrix near A^H W A (argand_toeplitz_circulant): real, of the shape of x's
     * axes of space, or of x where its images have one each, on any device. Image updates of ADMM and
     * HALF_QUADRATIC are then preconditioned by it and their penalties, and ADMM needs one inner step. NULL:
     * not known. With `preconditioner` it is not used. */
    const argand_array *spectrum;
    const argand_noise_spectrum *noise; /* of CG without regularizers; as in argand_cg_options */
    argand_outcome *outcome;            /* of CG; others leave it alone. NULL: not wanted */
    double diagonal;    /* d above where it is known; 0: estimated with random signs (a pair or more) */
    double image_scale; /* s above; 0: as above */
    double largest; /* the largest eigenvalue of A^H W A where it is known, or a bound above it; 0: found by
                       the power method, for FISTA and POGM. One that turns out too small is corrected */
    bool absolute;  /* weights are taken as they are: d = s = 1 */
    bool use_start; /* x holds a start; otherwise 0 */
    argand_monitor monitor;
    void *monitor_context;
} argand_solve_options;

/* min_x of the sum above. x has the operator's domain; on ARGAND_STOPPED it holds the last iterate.
 * Everything remains on the operator's device; an iteration makes one download of a few numbers. Errors:
 * ARGAND_ARGUMENT where arguments, regularizers and solver do not fit together, ARGAND_NUMERIC where
 * operators give NaN or are not what they claim. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve(argand_array *x, const argand_op *op,
                                                      const argand_array *y,
                                                      const argand_solve_options *options);

/* How a weight was chosen. */
typedef struct argand_weight_choice {
    double weight;
    double noise;            /* the square root of E |n|^2 of a sample */
    const char *source;      /* where the noise level comes from: "given", or text for a message */
    double residual, target; /* |W^1/2 (y - A x)| / |W^1/2 y|: of the last trial; what was sought */
    int solves;              /* trials */
} argand_weight_choice;

/* As argand_solve, with the weight of regularizers[which] (whatever it is) chosen by the discrepancy
 * principle: the image leaves of the data what least squares leave, and the noise that an image of so few
 * free numbers cannot take up: 0.85 times that of as many samples as there are unknown pixels. noise: sqrt(E
 * |n|^2) of a sample, 1 for whitened data; 0: not known. The noise is then estimated from
 * the residual of least squares, if the data are a quarter more than the pixels (samples with a residual of 0
 * do not count). Otherwise it is estimated from the finest details of the least-squares image, or else from
 * its darkest pixels. If none of these shows noise, a thousandth of the samples' root mean square is taken,
 * and `source` says so. Costs about 40 pairs and 2 to 7 solves of 20 iterations, which the monitor sees as
 * trials (argand_progress) and can stop. ARGAND_NUMERIC: the data are 0. ARGAND_UNSUPPORTED: the noise is
 * not known and the data are fewer than the pixels. choice may be NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_weight(argand_array *x, const argand_op *op,
                                                             const argand_array *y,
                                                             const argand_solve_options *options, int which,
                                                             double noise, argand_weight_choice *choice);

/* A preconditioner of a diagonal: y = x / max(d, floor max d), d real and not negative, of x's shape
 * (except for trailing dimensions of 1), on any device; floor in (0, 1], 0 means 0.01. With d = sum_c |S_c|^2
 * it takes out the shading of coil maps (Pruessmann et al., Magn. Reson. Med. 46:638, 2001). x is complex, of
 * d's precision. */
ARGAND_API ARGAND_MUST_USE argand_status argand_preconditioner_diagonal(argand_op **op, const argand_array *d,
                                                                        double floor);

#ifdef __cplusplus
}
#endif
#endif
