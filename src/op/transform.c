/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes an operator of a NUFFT or field DFT plan. */
#include "op/transform.h"

static argand_status create(argand_op **op, argand_device *device, const transform *t, int64_t vectors)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_%s: no place for the operator", t->name);
    *op = NULL;
    CHECK(vectors >= 1, ARGAND_ARGUMENT, "argand_op_%s: %lld vectors; give 1 or more", t->name,
          (long long)vectors);
    argand_op_definition d = {.name = t->name,
                              .domain = {.type = t->image, .rank = t->rank + 1},
                              .range = {.type = t->type, .rank = 2, .dims = {t->samples, vectors}},
                              .apply = t->apply,
                              .adjoint = t->adjoint,
                              .destroy = t->destroy,
                              .context = t->plan};
    for (int axis = 0; axis < t->rank; axis++) d.domain.dims[axis] = t->n[axis];
    d.domain.dims[t->rank] = vectors;
    TRY(argand_op_create(op, device, &d));
    (*op)->takes_fewer = true;
    return ARGAND_OK;
}

argand_status op_of_fewer(argand_op **op, argand_op *whole, int64_t vectors)
{
    argand_op_definition d = whole->definition;
    CHECK(whole->takes_fewer && vectors <= d.range.dims[1], ARGAND_INTERNAL,
          "\"%s\" does not take %lld vectors", whole->name, (long long)vectors);
    d.domain.dims[d.domain.rank - 1] = d.range.dims[1] = vectors;
    d.destroy = NULL;
    return op_compose(op, &d, whole, NULL);
}

argand_status transform_op(argand_op **op, argand_device *device, const transform *t, int64_t vectors)
{
    const argand_status status = create(op, device, t, vectors);
    if (status != ARGAND_OK) t->destroy(t->plan);
    return status;
}
