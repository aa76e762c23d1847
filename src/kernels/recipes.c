/* SPDX-License-Identifier: BSD-3-Clause */
/* A line for each kernel, and one for each key by which the library asks for it. */
#include "kernels/texts.h"

#include <stddef.h>

const kernel_recipe kernel_recipes[] = {
    {.name = "axpby", .files = {"pointwise.krn"}},
    {.name = "multiply", .files = {"pointwise.krn"}},
    {.name = "part", .files = {"pointwise.krn"}},
    {.name = "dot", .files = {"pointwise.krn", "reduce.krn"}},
    {.name = "sum", .files = {"pointwise.krn", "reduce.krn"}},
    {.name = "extent", .files = {"pointwise.krn", "reduce.krn"}},
    {.name = "convert", .files = {"pointwise.krn", "convert.krn"}},
    {0},
};

/* clang-format off */
const char *const kernel_keys[] = {
    "axpby REAL=float", "axpby REAL=double",
    "multiply REAL=float", "multiply REAL=double",
    "part REAL=float", "part REAL=double",
    "dot REAL=float", "dot REAL=double",
    "sum REAL=float", "sum REAL=double",
    "extent REAL=float", "extent REAL=double",
    "convert REAL=float OTHER=double", "convert REAL=double OTHER=float",
    NULL,
};
/* clang-format on */
