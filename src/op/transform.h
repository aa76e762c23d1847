/* SPDX-License-Identifier: BSD-3-Clause */
/* Common part of NUFFT and field DFT as operators: {image dims..., vectors} to {samples, vectors}, with a
 * plan that the operator owns. */
#ifndef OP_TRANSFORM_H
#define OP_TRANSFORM_H

#include "op/op.h"

typedef struct transform {
    const char *name;        /* "nufft" */
    argand_type type, image; /* type of samples, type of images */
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
