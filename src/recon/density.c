/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of the samples: the file's, or Pipe and Menon's. */
#include "recon/session.h"

argand_status density_of_points(const argand_sense *s, const recon_points *at, argand_array **weights)
{
    argand_nufft *plan = NULL;
    argand_status status;
    argand_nufft_options options = {
        .type = s->options.type, .rank = s->grid.n[2] > 1 ? 3 : 2, .tolerance = 1e-3};
    const argand_type type = s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    for (int axis = 0; axis < 3; axis++) options.n[axis] = s->grid.n[axis];
    *weights = NULL;
    TRY_OR_DONE(argand_nufft_create(&plan, s->device, &options));
    TRY_OR_DONE(argand_nufft_set_points(plan, (const argand_array *const *)at->k));
    TRY_OR_DONE(argand_array_create(weights, s->device, type, 1, &at->count));
    TRY_OR_DONE(argand_density_pipe(*weights, plan, 0, 0, NULL));
done:
    argand_nufft_destroy(plan);
    if (status != ARGAND_OK) {
        argand_array_destroy(*weights);
        *weights = NULL;
    }
    return status;
}

argand_status density_weights(const argand_sense *s, const recon_samples *data, argand_density way,
                              argand_array **weights)
{
    *weights = NULL;
    if (way == ARGAND_DENSITY_NONE) return ARGAND_OK;
    return way == ARGAND_DENSITY_FILE ? array_of_numbers(s, data->weights, data->at.count, weights)
                                      : density_of_points(s, &data->at, weights);
}
