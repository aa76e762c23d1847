/* SPDX-License-Identifier: BSD-3-Clause */
/* A Toeplitz normal operator as an operator: Hermitian, so the adjoint is itself. */
#include "op/toeplitz.h"

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    return toeplitz_apply_run(context, y, x);
}

static void destroy(void *context)
{
    toeplitz_apply_destroy(context);
}

argand_shape toeplitz_shape(const argand_toeplitz *t)
{
    argand_shape shape = {.type = t->type, .rank = t->rank};
    for (int d = 0; d < t->rank; d++) shape.dims[d] = t->n[d];
    if (t->images) shape.dims[shape.rank++] = t->images;
    return shape;
}

argand_status toeplitz_op(argand_op **op, const char *name, argand_toeplitz *toeplitz,
                          const argand_shape *shape, int64_t vectors, const argand_array *maps)
{
    toeplitz_apply *a;
    TRY(toeplitz_apply_create(&a, toeplitz, vectors, maps));
    const argand_op_definition definition = {.name = name,
                                             .domain = *shape,
                                             .range = *shape,
                                             .apply = apply,
                                             .adjoint = apply,
                                             .destroy = destroy,
                                             .context = a};
    const argand_status status = argand_op_create(op, toeplitz->device, &definition);
    if (status != ARGAND_OK) toeplitz_apply_destroy(a);
    return status;
}

argand_status argand_op_toeplitz(argand_op **op, argand_device *device, argand_toeplitz *toeplitz,
                                 int64_t vectors)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_toeplitz: no place for the operator");
    *op = NULL;
    CHECK(toeplitz, ARGAND_ARGUMENT, "argand_op_toeplitz: no Toeplitz kernels given");
    CHECK(device == toeplitz->device, ARGAND_ARGUMENT,
          "argand_op_toeplitz: the kernels live on another device than the one given");
    CHECK(vectors >= 1, ARGAND_ARGUMENT, "argand_op_toeplitz: %lld vectors; give 1 or more",
          (long long)vectors);
    argand_shape shape = toeplitz_shape(toeplitz);
    shape.dims[shape.rank++] = vectors;
    return toeplitz_op(op, "toeplitz", toeplitz, &shape, vectors, NULL);
}
