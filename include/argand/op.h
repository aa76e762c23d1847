/* SPDX-License-Identifier: BSD-3-Clause */
/* op.h: linear operators y = A x between arrays of fixed shapes, with their exact adjoints x = A^H y.
 * Operators are reference counted: chain, sum and the other combinations hold references to their parts, so
 * that the parts may be destroyed at once. An operator computes on the device of its arrays.
 *
 * Limits: names of 31 bytes (longer names are cut); shapes as for arrays. Threads: an operator, and all
 * operators that share a part with it, are for one thread at a time, because chains and sums keep work memory
 * between calls. Plans (FFT, NUFFT, field) have no such limit. argand_op_keep may be called by any thread.
 * Refused with ARGAND_ARGUMENT: arrays whose shape, type or device is not that of the operator's domain and
 * range, arrays that are not contiguous or share memory, parts that do not fit together, factors that are not
 * finite; with ARGAND_UNSUPPORTED: real FFTs, and FFTs with axes_given. A user function may return any
 * status, which the call then returns. NULL: see argand.h; `destroy`, `normal`, `name` and `context` of a
 * definition may be NULL. */
#ifndef ARGAND_OP_H
#define ARGAND_OP_H

#include "array.h"
#include "fft.h"
#include "nufft.h"
#include "field.h"
#include "segments.h"
#include "toeplitz.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_op argand_op;

typedef struct argand_shape {
    argand_type type;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
} argand_shape;

/* Functions that define an operator. x has the shape of the domain, y that of the range. Both are contiguous
 * and distinct; outputs are overwritten. */
typedef struct argand_op_definition {
    const char *name; /* for print */
    argand_shape domain, range;
    argand_status (*apply)(void *context, argand_array *y, const argand_array *x);   /* y = A x */
    argand_status (*adjoint)(void *context, argand_array *x, const argand_array *y); /* x = A^H y */
    argand_status (*normal)(void *context, argand_array *z,
                            const argand_array *x); /* (optional) z = A^H A x */
    void (*destroy)(void *context);                 /* (optional) */
    void *context;
} argand_op_definition;

/* Creates an operator. On failure the context is not destroyed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_create(argand_op **op, argand_device *device,
                                                          const argand_op_definition *definition);
ARGAND_API argand_op *argand_op_keep(argand_op *op); /* adds a reference; returns op */
ARGAND_API void argand_op_destroy(argand_op *op);    /* removes a reference; NULL is allowed */

ARGAND_API argand_device *argand_op_device(const argand_op *op);
ARGAND_API const argand_shape *argand_op_domain(const argand_op *op);
ARGAND_API const argand_shape *argand_op_range(const argand_op *op);
ARGAND_API void argand_op_print(const argand_op *op, char *text, size_t size); /* "(chain (nufft) (coils))" */

ARGAND_API ARGAND_MUST_USE argand_status argand_op_apply(const argand_op *op, argand_array *y,
                                                         const argand_array *x);
ARGAND_API ARGAND_MUST_USE argand_status argand_op_adjoint(const argand_op *op, argand_array *x,
                                                           const argand_array *y);
ARGAND_API ARGAND_MUST_USE argand_status argand_op_normal(const argand_op *op, argand_array *z,
                                                          const argand_array *x);

/* Combine operators to new ones. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_chain(argand_op **op, argand_op *outer,
                                                         argand_op *inner); /* outer inner */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_sum(argand_op **op, argand_op *a,
                                                       argand_op *b); /* a + b */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_scale(argand_op **op, argand_scalar factor,
                                                         argand_op *a);                      /* factor a */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_adjoint_of(argand_op **op, argand_op *a); /* a^H */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_normal_of(argand_op **op, argand_op *a);  /* a^H a */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_identity(argand_op **op, argand_device *device,
                                                            const argand_shape *shape);
/* Creates y = d x, pointwise. d has the shape of x; strides of 0 repeat elements. The operator shares the
 * storage of d. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_diagonal(argand_op **op, const argand_array *d);
/* Creates first differences along one axis: y_n = x_n - x_(n-1), and y = 0 on the first element of each
 * row. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_difference(argand_op **op, argand_device *device,
                                                              const argand_shape *shape, int axis);
/* Create operators from transforms. The operator owns the plan afterwards, also on failure. If the plan of
 * a NUFFT has real images, so has the operator. vectors >= 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_fft(argand_op **op, argand_device *device,
                                                       const argand_fft_options *options,
                                                       argand_direction direction);
ARGAND_API ARGAND_MUST_USE argand_status argand_op_nufft(argand_op **op, argand_device *device,
                                                         argand_nufft *plan, int64_t vectors);
ARGAND_API ARGAND_MUST_USE argand_status argand_op_field(argand_op **op, argand_device *device,
                                                         argand_field *plan, int64_t vectors);
/* Creates a NUFFT with off-resonance and decay: y_v = sum_l a_l F(b_l x_v). This equals the exact sum of
 * field.h up to the errors of the segments and of the plan. One NUFFT call computes all terms of as many
 * vectors as fit. The operator owns the plan afterwards, also on failure; it shares storage with the
 * segments, which may be destroyed. Pixels outside the mask of the segments are read and written as 0. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_segmented(argand_op **op, argand_device *device,
                                                             argand_nufft *plan,
                                                             const argand_segments *segments,
                                                             int64_t vectors);

/* Creates the normal operator F^H W F, {n, vectors} to {n, vectors}; it is Hermitian. The caller keeps
 * `toeplitz` and may destroy it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_toeplitz(argand_op **op, argand_device *device,
                                                            argand_toeplitz *toeplitz, int64_t vectors);

/* Creates a preconditioner for this operator, Hermitian and positive definite, {n} to {n}: the inverse of
 * C + shift, where C is the circulant matrix nearest to sum_c conj(S_c) T S_c (T. Chan 1988). It costs two
 * FFTs of the image size. maps: complex {n..., coils}, read once; NULL: T alone. shift >= 0: weight of an
 * identity that the problem adds (the beta of a penalty). Eigenvalues of C below a twentieth of their mean
 * (frequencies that were hardly sampled) are raised to this value. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_circulant(argand_op **op, const argand_toeplitz *toeplitz,
                                                             const argand_array *maps, double shift);

/* Tests the adjoint: *error is the largest |<A x, y> - <x, A^H y>| / (|A x| |y|) over `trials` random pairs
 * (0 means 3) drawn from the seed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_check(const argand_op *op, int trials, uint64_t seed,
                                                         double *error);

#ifdef __cplusplus
}
#endif
#endif
