/* SPDX-License-Identifier: BSD-3-Clause */
/* Recipes of the ladder's kernels. */
#include "texts.h"

#include <stddef.h>

const kernel_recipe ladder_recipes[] = {
    {.name = "ladder_rows", .files = {"fft/radix.h", "ladder_common.krn", "ladder_rows.krn"}},
    {.name = "ladder_item", .files = {"fft/radix.h", "ladder_common.krn", "ladder_item.krn"}},
    {.name = "ladder_warp", .files = {"fft/radix.h", "ladder_common.krn", "ladder_warp.krn"}},
    {.name = "ladder_transpose", .files = {"fft/radix.h", "ladder_common.krn", "ladder_transpose.krn"}},
    {.name = "ladder_tile", .files = {"fft/radix.h", "ladder_common.krn", "ladder_tile.krn"}},
    {.name = "ladder_copy", .files = {"fft/radix.h", "ladder_common.krn", "ladder_copy.krn"}},
    {.name = NULL},
};
