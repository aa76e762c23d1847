/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT as an operator: images to samples (type 2), and the adjoint (type 1). */
#include "op/transform.h"

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    return argand_nufft_apply(context, y, x);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    return argand_nufft_adjoint(context, x, y);
}

static void destroy(void *context)
{
    argand_nufft_destroy(context);
}

argand_status argand_op_nufft(argand_op **op, argand_device *device, argand_nufft *plan, int64_t vectors)
{
    argand_nufft_info info;
    if (op) *op = NULL;
    CHECK(plan, ARGAND_ARGUMENT, "argand_op_nufft: no plan");
    argand_nufft_describe(plan, &info);
    if (info.points < 1) {
        argand_nufft_destroy(plan);
        return status_set(ARGAND_ARGUMENT,
                          "argand_op_nufft: the plan has no points; call argand_nufft_set_points first");
    }
    const transform t = {.name = "nufft",
                         .type = info.type,
                         .image = !info.real_image          ? info.type
                                  : info.type == ARGAND_C64 ? ARGAND_R64
                                                            : ARGAND_R32,
                         .rank = info.rank,
                         .n = info.n,
                         .samples = info.points,
                         .apply = apply,
                         .adjoint = adjoint,
                         .destroy = destroy,
                         .plan = plan};
    return transform_op(op, device, &t, vectors);
}
