/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise soft thresholds and their smooth variants. */
#include "penalty/penalty.h"

#include "array/layout.h"
#include "kernels/penalty/params.h"

argand_status shrink(shrink_mode mode, argand_array *y, const argand_array *x, int components,
                     double threshold, double delta, const tally *t)
{
    const int64_t count = x->count / components, width = penalty_width(x->type),
                  chunk = penalty_share(x) / width;
    struct shrink_params p = {.count = count,
                              .step = count * width,
                              .chunk = chunk,
                              .in = x->offset * width,
                              .out = y->offset * penalty_width(y->type),
                              .threshold = layout_scalar(threshold, 0),
                              .delta = layout_scalar(delta, 0),
                              .components = components,
                              .width = (int)width,
                              .mode = (int)mode};
    storage *memory[3] = {NULL, y->storage, x->storage};
    penalty_launch launch = {"shrink", x->type, penalty_groups(count, chunk), NULL, 3, &p, sizeof p};
    return penalty_start_tally(argand_array_device(x), &launch, memory, t);
}
