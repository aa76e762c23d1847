/* SPDX-License-Identifier: BSD-3-Clause */
/* A line for each kernel, and one for each key by which the library asks for it. */
#include "kernels/texts.h"

#include <stddef.h>

const kernel_recipe kernel_recipes[] = {
    {.name = "axpby", .files = {"rows.krn", "axpby.krn"}},
    {.name = "multiply", .files = {"rows.krn", "multiply.krn"}},
    {.name = "part", .files = {"rows.krn", "part.krn"}},
    {.name = "convert", .files = {"rows.krn", "convert.krn"}},
    {.name = "dot_product", .files = {"rows.krn", "dot_product.krn"}},
    {.name = "sum", .files = {"rows.krn", "sum.krn"}},
    {.name = "extent", .files = {"rows.krn", "extent.krn"}},
    {.name = "fill", .files = {"rows.krn", "fill.krn"}},
    {.name = "collect", .files = {"collect.krn"}},
    {.name = "axpby_ratio", .files = {"rows.krn", "axpby_ratio.krn"}},
    {.name = "coils_apply", .files = {"coils_apply.krn"}},
    {.name = "coils_adjoint", .files = {"coils_adjoint.krn"}},
    {.name = "turn", .files = {"turn.krn"}},
    {.name = "field_forward", .files = {"field_params.h", "field_phase.krn", "field_direct.krn"}},
    {.name = "field_adjoint", .files = {"field_params.h", "field_phase.krn", "field_direct.krn"}},
    {.name = "field_finish", .files = {"field_params.h", "field_finish.krn"}},
    {.name = "field_extent", .files = {"field_params.h", "field_extent.krn"}},
    {.name = "field_pack",
     .files = {"field_params.h", "field_phase.krn", "field_halves.krn", "field_pack.krn"},
     .flags = KERNEL_CUDA_ONLY},
    {.name = "field_tensor_warpgroup",
     .files = {"field_params.h", "field_phase.krn", "field_halves.krn", "field_hopper.krn", "field_tensor.krn"},
     .flags = KERNEL_CUDA_ONLY},
    {.name = "field_tensor_warp",
     .files = {"field_params.h", "field_phase.krn", "field_halves.krn", "field_ampere.krn", "field_tensor.krn"},
     .flags = KERNEL_CUDA_ONLY},
    {0},
};

/* clang-format off */
const char *const kernel_keys[] = {
    "axpby REAL=float", "axpby REAL=double",
    "multiply REAL=float", "multiply REAL=double",
    "part REAL=float", "part REAL=double",
    "dot_product REAL=float", "dot_product REAL=double",
    "sum REAL=float", "sum REAL=double",
    "extent REAL=float", "extent REAL=double",
    "convert REAL=float OTHER=double", "convert REAL=double OTHER=float",
    "fill REAL=float", "fill REAL=double",
    "collect REAL=float", "collect REAL=double",
    "axpby_ratio REAL=float", "axpby_ratio REAL=double",
    "coils_apply REAL=float", "coils_apply REAL=double",
    "coils_adjoint REAL=float", "coils_adjoint REAL=double",
    "turn REAL=float", "turn REAL=double",
    NULL,
};
/* clang-format on */
