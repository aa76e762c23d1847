/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of the samples: the file's, or Pipe and Menon's. */
#include "recon/session.h"

#include "base/memory.h"

static argand_status weights_of_file(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                                     argand_array **weights)
{
    const argand_scan_array *found = argand_scan_find(s->scan, "DensityCompensation");
    CHECK(found, ARGAND_ARGUMENT, "%s: there is no array DensityCompensation; take --density pipe",
          s->scan->path);
    int64_t count = 1;
    for (int axis = 0; axis < found->rank; axis++) count *= found->dims[axis];
    CHECK(found->type == ARGAND_R32 && count == v->samples && !data->left_out, ARGAND_ARGUMENT,
          "%s: DensityCompensation has %lld numbers for the %lld samples in use; take --density pipe",
          s->scan->path, (long long)count, (long long)data->count);
    double *numbers;
    TRY(NEW(numbers, count));
    for (int64_t i = 0; i < count; i++) numbers[i] = (double)((const float *)found->data)[i];
    const argand_status status = array_of_numbers(s, numbers, count, weights);
    memory_free(numbers);
    return status;
}

static argand_status weights_of_pipe(const argand_sense *s, const recon_samples *data, argand_array **weights)
{
    argand_nufft *plan = NULL;
    argand_status status;
    argand_nufft_options options = {
        .type = s->options.type, .rank = s->grid.n[2] > 1 ? 3 : 2, .tolerance = 1e-3};
    const argand_type type = s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    for (int axis = 0; axis < 3; axis++) options.n[axis] = s->grid.n[axis];
    *weights = NULL;
    TRY_OR_DONE(argand_nufft_create(&plan, s->device, &options));
    TRY_OR_DONE(argand_nufft_set_points(plan, (const argand_array *const *)data->k));
    TRY_OR_DONE(argand_array_create(weights, s->device, type, 1, &data->count));
    TRY_OR_DONE(argand_density_pipe(*weights, plan, 0, 0, NULL));
done:
    argand_nufft_destroy(plan);
    if (status != ARGAND_OK) {
        argand_array_destroy(*weights);
        *weights = NULL;
    }
    return status;
}

argand_status density_weights(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                              argand_density way, argand_array **weights)
{
    *weights = NULL;
    if (way == ARGAND_DENSITY_NONE) return ARGAND_OK;
    return way == ARGAND_DENSITY_FILE ? weights_of_file(s, v, data, weights)
                                      : weights_of_pipe(s, data, weights);
}
