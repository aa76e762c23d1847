/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of SENSE with Toeplitz kernels: sum_c conj(S_c) T (S_c x). T multiplies by the coil
 * maps where it reads and writes its images, so that the maps need no passes of their own. */
#include <argand/mri.h>

#include "mri/host.h"
#include "toeplitz/apply.h"

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    return toeplitz_apply_run(context, y, x);
}

static void destroy(void *context)
{
    toeplitz_apply_destroy(context);
}

argand_status argand_op_sense_normal(argand_op **op, argand_toeplitz *toeplitz, const argand_array *maps)
{
    if (op) *op = NULL;
    CHECK_ARRAY(maps);
    CHECK(op && toeplitz, ARGAND_ARGUMENT, "sense normal: no %s given", op ? "Toeplitz kernels" : "place");
    TRY(toeplitz_check_maps(toeplitz, maps, "sense normal"));
    argand_shape shape = {.type = toeplitz->type, .rank = toeplitz->rank};
    for (int d = 0; d < toeplitz->rank; d++) shape.dims[d] = toeplitz->n[d];
    toeplitz_apply *a;
    TRY(toeplitz_apply_create(&a, toeplitz, argand_array_dim(maps, toeplitz->rank), maps));
    const argand_op_definition definition = {.name = "sense normal",
                                             .domain = shape,
                                             .range = shape,
                                             .apply = apply,
                                             .adjoint = apply,
                                             .destroy = destroy,
                                             .context = a};
    const argand_status status = argand_op_create(op, toeplitz->device, &definition);
    if (status != ARGAND_OK) toeplitz_apply_destroy(a);
    return status;
}
