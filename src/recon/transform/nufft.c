/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of the NUFFT that every transform without the exact DFT contains. */
#include "recon/transform/transform.h"

argand_status nufft_of_points(const argand_sense *s, const recon_points *at, argand_nufft **plan)
{
    argand_nufft_options options = {.type = s->options.type,
                                    .rank = s->grid.rank,
                                    .tolerance = s->nufft_tolerance,
                                    .wait_for_kernels = true};
    for (int axis = 0; axis < 3; axis++) options.n[axis] = s->grid.n[axis];
    TRY(argand_nufft_create(plan, s->device, &options));
    const argand_status status = argand_nufft_set_points(*plan, at->k);
    if (status != ARGAND_OK) {
        argand_nufft_destroy(*plan);
        *plan = NULL;
    }
    return status;
}
