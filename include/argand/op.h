/* SPDX-License-Identifier: BSD-3-Clause */
/* op.h: linear operators y = A x between arrays of fixed shapes, with their exact adjoints x = A^H y.
 * Operators are reference counted: chain, sum and the rest keep what they are made of, so the parts may be
 * destroyed at once. They follow their data: arrays on a device remain there.
 *
 * Limits: names of 31 bytes (longer ones are cut), shapes as arrays have them. Threads: an operator, and
 * whatever shares a part with it, is for one thread at a time, since chains and sums keep work memory from
 * call to call; plans (FFT, NUFFT, field) are not so bound. argand_op_keep may be called by any thread.
 * Refused with ARGAND_ARGUMENT: arrays of other shapes, types or devices than the operator's domain and
 * range, arrays that are not contiguous or share memory, parts that do not fit together, factors that are not
 * finite; ARGAND_UNSUPPORTED: real FFTs and FFTs with axes of their own. Functions of the user's own may
 * return any status, which the call then returns. NULL: see argand.h; `destroy`, `normal`, `name` and
 * `context` of a definition may be NULL. */
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

/* What an operator is made of. x has the domain's shape, y the range's; both are contiguous and distinct, and
 * outputs are overwritten. */
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

/* On failure the context is not destroyed. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_create(argand_op **op, argand_device *device,
                                                          const argand_op_definition *definition);
ARGAND_API argand_op *argand_op_keep(argand_op *op); /* one more reference; returns op */
ARGAND_API void argand_op_destroy(argand_op *op);    /* one less; NULL is allowed */

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

/* Building blocks. */
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
/* y = d x pointwise; d has x's shape, or strides of 0 where it repeats. The array's storage is shared, not
 * copied. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_diagonal(argand_op **op, const argand_array *d);
/* First differences along one axis inside the image only: y_n = x_n - x_(n-1), y = 0 on the first element of
 * each row. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_difference(argand_op **op, argand_device *device,
                                                              const argand_shape *shape, int axis);
/* Transforms as operators, a NUFFT of real images where its plan is; the plan belongs to the operator
 * afterwards, also on failure. vectors >= 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_fft(argand_op **op, argand_device *device,
                                                       const argand_fft_options *options,
                                                       argand_direction direction);
ARGAND_API ARGAND_MUST_USE argand_status argand_op_nufft(argand_op **op, argand_device *device,
                                                         argand_nufft *plan, int64_t vectors);
ARGAND_API ARGAND_MUST_USE argand_status argand_op_field(argand_op **op, argand_device *device,
                                                         argand_field *plan, int64_t vectors);
/* A NUFFT with off-resonance and decay: y_v = sum_l a_l F(b_l x_v), as field.h's exact sum to the error of
 * the segments and of the plan; all terms of as many vectors as fit go through the NUFFT in one call. The
 * plan belongs to the operator afterwards, also on failure; of the segments only storage is shared, so they
 * may be destroyed. Pixels outside the segments' mask are read and written as 0. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_segmented(argand_op **op, argand_device *device,
                                                             argand_nufft *plan,
                                                             const argand_segments *segments,
                                                             int64_t vectors);

/* The normal operator F^H W F itself, {n, vectors} to {n, vectors}, Hermitian: its own adjoint. It keeps what
 * it needs of `toeplitz`, which remains the caller's. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_toeplitz(argand_op **op, argand_device *device,
                                                            argand_toeplitz *toeplitz, int64_t vectors);

/* A preconditioner for it, Hermitian and positive definite, {n} to itself: the inverse of C + shift, C the
 * circulant matrix nearest to sum_c conj(S_c) T S_c (T. Chan 1988), two FFTs of the image's size. maps:
 * complex {n..., coils}, read once; NULL: T alone. shift >= 0: the weight of an identity that the problem
 * adds (a penalty's beta). Eigenvalues of C below a twentieth of their mean, frequencies that were hardly
 * measured, are raised to that. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_circulant(argand_op **op, const argand_toeplitz *toeplitz,
                                                             const argand_array *maps, double shift);

/* The largest of |<A x, y> - <x, A^H y>| / (|A x| |y|) over `trials` random pairs (0 means 3), from the seed.
 */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_check(const argand_op *op, int trials, uint64_t seed,
                                                         double *error);

#ifdef __cplusplus
}
#endif
#endif
