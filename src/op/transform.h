/* SPDX-License-Identifier: BSD-3-Clause */
/* What NUFFT and field DFT have in common as operators: {image dims..., vectors} to {samples, vectors}, and a
 * plan that belongs to the operator. */
#ifndef OP_TRANSFORM_H
#define OP_TRANSFORM_H

#include "op/op.h"

typedef struct transform {
    const char *name;        /* "nufft" */
    argand_type type, image; /* of samples and of images */
    int rank;
    const int64_t *n;
    int64_t samples;
    argand_status (*apply)(void *plan, argand_array *y, const argand_array *x);
    argand_status (*adjoint)(void *plan, argand_array *x, const argand_array *y);
    void (*destroy)(void *plan);
    void *plan;
} transform;

/* The image has rank + 1 dimensions, also for one vector. On failure the plan is destroyed. */
argand_status transform_op(argand_op **op, argand_device *device, const transform *t, int64_t vectors);

#endif
