/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h: iterative solution of least-squares problems with operators, with or without regularizers.
 *
 * Limits: ARGAND_MAX_REGULARIZERS regularizers, ARGAND_NOISE_NODES nodes, memory for the iterates (see each
 * function). Threads: a solver is the only user of its operators during the call (op.h); the monitor is
 * called by the calling thread. Refused with ARGAND_ARGUMENT: arrays whose shape, type or device is not the
 * operator's, weights that are not real, negative numbers where only positive ones are valid, parts that do
 * not fit together; with ARGAND_NUMERIC, when the solver finds them: NaN or infinity in x, y or weights, an
 * adjoint that is not the adjoint, a preconditioner that is not positive. NULL: see argand.h; options may be
 * NULL if all of them have a default. */
#ifndef ARGAND_SOLVE_H
#define ARGAND_SOLVE_H

#include "op.h"
#include "penalty.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Progress that a solver reports after each iteration (iteration 0: the start). */
typedef struct argand_progress {
    int iteration, iterations; /* completed; maximum */
    double residual;           /* |W^1/2 (y - A x)| / |W^1/2 y| */
    double gradient;           /* |gradient| / |gradient at x = 0|; for a nonsmooth R see argand_solver */
    double penalty;            /* R(x); the objective is (residual |W^1/2 y|)^2 / 2 + penalty */
    double seconds;            /* time since the start */
    int trial; /* argand_solve_weight: 1 during least squares, 2 and on during trials of weights, 0 with the
                  chosen weight; other solvers: 0 */
} argand_progress;

/* Returns false to stop: the solver then returns ARGAND_STOPPED and x holds the last iterate. */
typedef bool (*argand_monitor)(void *context, const argand_progress *progress);

/* A quadratic penalty beta/2 |C x|^2. */
typedef struct argand_penalty {
    argand_op *op; /* C */
    double beta;
} argand_penalty;

/* The distribution of noise over the eigenvalues of A^H W A, as a quadrature of a few nodes. CG uses it to
 * estimate the noise of its iterates. */
enum { ARGAND_NOISE_NODES = 6 };
typedef struct argand_noise_spectrum {
    int count;
    double node[ARGAND_NOISE_NODES],
        weight[ARGAND_NOISE_NODES]; /* sum of all: |A^H W n|^2 for noise with E |n|^2 = 1 */
    double total;                   /* sum of W over all samples */
} argand_noise_spectrum;
/* Computes the noise spectrum of an operator by ARGAND_NOISE_NODES CG steps on simulated noise, with one pair
 * of A and A^H, or one `normal` (A^H W A; NULL: by op), for each step. Needs memory for the data and five
 * images. The result is reproducible, and serves all problems with nearly the same operator. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_noise(argand_noise_spectrum *spectrum,
                                                            const argand_op *op, const argand_array *weights,
                                                            argand_op *normal);

/* The reason why CG ended. */
typedef enum argand_stop {
    ARGAND_STOP_ITERATIONS = 0, /* all iterations were done */
    ARGAND_STOP_CONVERGED = 1,  /* the gradient is below the tolerance or the rounding error */
    ARGAND_STOP_NOISE = 2 /* further iterations would add more noise than signal; x is the best iterate */
} argand_stop;
typedef struct argand_outcome {
    argand_stop stop;
    int iteration; /* number of the iterate in x */
    double noise;  /* with a noise spectrum: estimate of |noise in x| / |x|; otherwise 0 */
} argand_outcome;

typedef struct argand_cg_options {
    int iterations;                  /* maximum; 0 means 10 */
    double tolerance;                /* stop if |gradient| / |gradient at 0| falls below this; 0: never */
    const argand_array *weights;     /* W: real, >= 0, y's shape or strides of 0; NULL means 1 */
    const argand_penalty *penalties; /* with `penalty_count` entries */
    int penalty_count;
    argand_op *preconditioner; /* M ~ inverse of the normal operator, Hermitian positive; NULL: identity */
    bool use_start;            /* start at x; otherwise at 0 */
    argand_monitor monitor;
    void *monitor_context;
    argand_op
        *normal; /* A^H W A as one operator (Toeplitz); NULL: apply and adjoint (see argand_solve_options) */
    /* Not NULL: stop also when further iterations would add more noise than signal, by generalised
     * cross-validation, which needs no noise level. x is then the best iterate, two or three before the last.
     * Not possible with penalties, preconditioner or start */
    const argand_noise_spectrum *noise;
    argand_outcome *outcome; /* NULL is allowed */
    int kept_gradients; /* orthogonalise each gradient against this many first ones; 0: see below; -1: none */
} argand_cg_options;

/* Minimises 1/2 |W^1/2 (y - A x)|^2 + sum_i beta_i/2 |C_i x|^2 by preconditioned conjugate gradients on the
 * normal equations. (CGLS form: the residual of the data is updated and never formed as a difference of large
 * numbers.) No stopping rule depends on the scale of y or A. The solver stops early if the step becomes 0/0
 * (solved to rounding), and fails with ARGAND_NUMERIC if a number is not finite. Reference: Hestenes and
 * Stiefel 1952; Bjorck, Numerical Methods for Least Squares, 1996, 7.4.
 *
 * Gradients are stored, and each new one is orthogonalised against them, so that rounding errors do not bring
 * back components that were solved. Iterates in single precision thus equal those in double precision up to a
 * few roundings, on every device. Memory: one image for each of the first 64 iterations, limited to 256 MiB
 * and twice the data, but at least 8 images; later gradients are orthogonalised against these. Operators must
 * be linear over the complex numbers, or have a real range and be linear over the reals. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_cg(argand_array *x, const argand_op *op,
                                                         const argand_array *y,
                                                         const argand_cg_options *options);

/* Solvers. A "pair" is one application of A and one of A^H, or one of `normal`. */
typedef enum argand_solver {
    ARGAND_SOLVER_AUTO = 0, /* the first of CG, HALF_QUADRATIC, POGM, ADMM that supports the regularizers */
    ARGAND_SOLVER_CG = 1,   /* quadratic regularizers, by argand_solve_cg; one pair per iteration */
    /* Quadratic regularizers and hyperbolas: `inner` CG steps on a quadratic majorizer of R, then a new
     * majorizer (Geman and Reynolds 1992); 1 + inner pairs. The objective never rises. */
    ARGAND_SOLVER_HALF_QUADRATIC = 2,
    /* Quadratic regularizers and one of wavelet or low rank (FISTA: or denoiser); one pair per iteration, and
     * a few for the start. Both with adaptive restart. FISTA: Beck and Teboulle 2009. POGM: Taylor,
     * Hendrickx, Glineur 2017, Kim and Fessler 2018; its bound is half of FISTA's. Reported gradient:
     * |composite gradient mapping| / |gradient at 0|. */
    ARGAND_SOLVER_FISTA = 3,
    ARGAND_SOLVER_POGM = 4,
    /* Any regularizers, also total variation; `inner` CG steps, one pair each, for every image update. Boyd
     * et al. 2011, with penalty parameters balanced by relative residuals (Wohlberg 2017). Reported gradient:
     * the larger of |grad f(x) + sum K^H dual| / |gradient at 0| and the largest |K x - z| / max(|K x|, |z|);
     * both are 0 at the solution. For wavelets and low rank, R(z) is reported; z converges to x. A denoiser's
     * R is not known, and reported as 0. */
    ARGAND_SOLVER_ADMM = 5
} argand_solver;

ARGAND_API const char *
argand_solver_name(argand_solver solver); /* "cg", "half-quadratic", "fista", "pogm", "admm" */
/* ARGAND_ARGUMENT: unknown solver. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solver_describe(argand_solver solver, argand_kind_info *info);
/* Returns the solver that ARGAND_SOLVER_AUTO takes for these regularizers. */
ARGAND_API argand_solver argand_solver_choose(const argand_regularizer *regularizers, int count);

/* Weights are independent of scale. With d the mean diagonal of A^H W A, and s = sqrt(sum |x1|^4 / sum
 * |x1|^2), the magnitude of the bright part of the image whatever the empty space around it, the solvers
 * minimise
 *
 *     1/2 |W^1/2 (y - A x)|^2 + d s^2 sum_i weight_i R_i(x / s)
 *
 * so that the effect of a weight depends neither on the units of the data, nor on the scale of coil maps or
 * density weights, nor on trajectory, number of samples and iterations. x1 is the least-squares image after
 * 10 CG steps (5 with a preconditioner or a spectrum); solvers other than CG also start at x1 unless a start
 * is given. A quadratic regularizer thus has beta = weight_i d (argand_penalty), and one of first degree (TV,
 * wavelet, low rank) weight_i d s. */
typedef struct argand_solve_options {
    argand_solver solver;
    int iterations;   /* maximum; 0 means 10 for CG, 50 otherwise */
    int inner;        /* CG steps per iteration of ADMM and HALF_QUADRATIC; 0: 4 (ADMM with a spectrum: 1) */
    double tolerance; /* stop if argand_progress.gradient falls below this; 0: never */
    const argand_array *weights; /* W: real, >= 0, y's shape or strides of 0; NULL means 1 */
    const argand_regularizer *regularizers;
    int regularizer_count;
    int space; /* number of leading axes of x that are space; 0: all, up to 3, but not the last axis with
                  ARGAND_LOW_RANK */
    argand_op
        *normal; /* A^H W A (W included) as one operator N, such as Toeplitz. A^H is then applied once, for
                    b = A^H W y, and N in each iteration. The residual is |y|^2 - 2 Re <x, b> + <x, N x>,
                    which is accurate to about sqrt(rounding of y's type) |y|, and to the error of N */
    argand_op *preconditioner; /* for CG, and for CG steps inside other solvers; see argand_cg_options */
    /* Eigenvalues of a circulant matrix near A^H W A (argand_toeplitz_circulant): real, on any device, with
     * the shape of the spatial axes of x, or of x if each image has its own. Image updates of ADMM and
     * HALF_QUADRATIC then use a preconditioner made from these and the penalties, and ADMM needs one inner
     * step. NULL: unknown. Ignored if `preconditioner` is given. */
    const argand_array *spectrum;
    const argand_noise_spectrum *noise; /* for CG without regularizers; see argand_cg_options */
    argand_outcome *outcome;            /* set by CG alone; NULL is allowed */
    double diagonal;    /* d above if known; 0: estimated with random signs, by one or more pairs */
    double image_scale; /* s above if known; 0: computed as above */
    double
        largest;   /* FISTA, POGM: the largest eigenvalue of A^H W A, or an upper bound; 0: found by the power
                       method. A value that proves too small is corrected */
    bool absolute; /* use the weights unscaled: d = s = 1 */
    bool use_start; /* start at x; otherwise at 0 (CG) or at x1 (others) */
    argand_monitor monitor;
    void *monitor_context;
} argand_solve_options;

/* Minimises the sum above. x has the shape of the operator's domain; on ARGAND_STOPPED it holds the last
 * iterate. All work is done on the operator's device; an iteration downloads a few numbers once. Errors:
 * ARGAND_ARGUMENT if arguments, regularizers and solver do not fit together; ARGAND_NUMERIC if an operator
 * returns NaN or its adjoint is wrong. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve(argand_array *x, const argand_op *op,
                                                      const argand_array *y,
                                                      const argand_solve_options *options);

/* Result of the choice of a weight. */
typedef struct argand_weight_choice {
    double weight;
    double noise;            /* sqrt(E |n|^2) of a sample */
    const char *source;      /* source of the noise level: "given", or a text for a message */
    double residual, target; /* |W^1/2 (y - A x)| / |W^1/2 y| of the last trial; the target */
    int solves;              /* number of trials */
} argand_weight_choice;

/* Solves as argand_solve does, and chooses the weight of regularizers[which] by the discrepancy principle:
 * the residual equals that of least squares plus the noise that an image with so few free numbers cannot fit,
 * which is 0.85 times the noise of as many samples as there are unknown pixels. noise: sqrt(E |n|^2) of a
 * sample, 1 for whitened data; 0: unknown. Unknown noise is estimated from the residual of least squares if
 * there are at least 1.25 times as many samples as pixels (samples with residual 0 do not count); otherwise
 * from the finest details of the least-squares image, or from its darkest pixels. If none of these shows
 * noise, 1/1000 of the rms of the samples is used, and `source` says so. Costs about 40 pairs, and 2 to 7
 * solves of 20 iterations, which the monitor sees as trials (argand_progress) and can stop. ARGAND_NUMERIC:
 * the data are 0. ARGAND_UNSUPPORTED: the noise is unknown and there are fewer samples than pixels. choice
 * may be NULL. */
ARGAND_API ARGAND_MUST_USE argand_status argand_solve_weight(argand_array *x, const argand_op *op,
                                                             const argand_array *y,
                                                             const argand_solve_options *options, int which,
                                                             double noise, argand_weight_choice *choice);

/* Makes a diagonal preconditioner: y = x / max(d, floor max d). d: real, not negative, on any device, with
 * the shape of x except for trailing dimensions of 1; floor in (0, 1], 0 means 0.01. With d = sum_c |S_c|^2
 * it removes the shading of coil maps (Pruessmann et al., Magn. Reson. Med. 46:638, 2001). x is complex with
 * the precision of d. */
ARGAND_API ARGAND_MUST_USE argand_status argand_preconditioner_diagonal(argand_op **op, const argand_array *d,
                                                                        double floor);

#ifdef __cplusplus
}
#endif
#endif
