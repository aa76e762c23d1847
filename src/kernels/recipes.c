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
     .from = 80},
    {.name = "field_tensor_warpgroup",
     .files = {"field_params.h", "field_phase.krn", "field_halves.krn", "field_hopper.krn", "field_tensor.krn"},
     .from = 90,
     .to = 90},
    {.name = "field_tensor_warp",
     .files = {"field_params.h", "field_phase.krn", "field_halves.krn", "field_ampere.krn", "field_tensor.krn"},
     .from = 80},
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
    "field_forward REAL=float NATIVE=1 WIDE=0 TERMS=0 CAREFUL=0 COILS=1 FIELD=1 DECAY=1 GRADIENTS=1 SINC_X=5 SINC_Y=4 SINC_Z=3 ITEMS=64",
    "field_forward REAL=double NATIVE=0 WIDE=1 TERMS=2 CAREFUL=1 COILS=4 FIELD=1 DECAY=1 GRADIENTS=1 SINC_X=9 SINC_Y=0 SINC_Z=0",
    "field_adjoint REAL=float NATIVE=1 WIDE=0 TERMS=0 CAREFUL=0 COILS=1 FIELD=1 DECAY=1 GRADIENTS=1 SINC_X=5 SINC_Y=4 SINC_Z=3 ITEMS=64",
    "field_adjoint REAL=double NATIVE=0 WIDE=1 TERMS=2 CAREFUL=1 COILS=4 FIELD=1 DECAY=1 GRADIENTS=1 SINC_X=9 SINC_Y=0 SINC_Z=0",
    "field_finish REAL=float",
    "field_finish REAL=double",
    "field_extent REAL=float",
    "field_pack REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=0 SINC_Y=0 SINC_Z=0 FIELD=1 DECAY=1 FORWARD=0 COILS=8",
    "field_pack REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=0 SINC_Y=0 SINC_Z=0 FIELD=1 DECAY=1 FORWARD=1 COILS=8",
    "field_tensor_warpgroup REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=0 SINC_Y=0 SINC_Z=0 FIELD=1 DECAY=0 GRADIENTS=0 FORWARD=1 COILS=16 RESIDENT=2 CHUNKS=2 OVERLAP=1 MASKED=0 JOINED=0 PRODUCTS=3",
    "field_tensor_warpgroup REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=5 SINC_Y=4 SINC_Z=0 FIELD=1 DECAY=1 GRADIENTS=1 FORWARD=0 COILS=8 RESIDENT=1 CHUNKS=2 OVERLAP=0 MASKED=1 JOINED=1 PRODUCTS=3",
    "field_tensor_warp REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=0 SINC_Y=0 SINC_Z=0 FIELD=1 DECAY=0 GRADIENTS=0 FORWARD=1 COILS=16 RESIDENT=2 CHUNKS=2 OVERLAP=0 MASKED=0 JOINED=0 PRODUCTS=3",
    "field_tensor_warp REAL=float NATIVE=1 WIDE=0 CAREFUL=0 SINC_X=5 SINC_Y=4 SINC_Z=0 FIELD=1 DECAY=1 GRADIENTS=1 FORWARD=0 COILS=8 RESIDENT=1 CHUNKS=2 OVERLAP=0 MASKED=1 JOINED=0 PRODUCTS=1",
    NULL,
};
/* clang-format on */
