/* SPDX-License-Identifier: BSD-3-Clause */
/* Type 3 in one call. */
#include "nufft/once.h"
#include "nufft/type3.h"

/* Plans of type 3 take positions that lie together. */
static argand_status together(argand_array **k)
{
    argand_array *copy;
    if (!*k || argand_array_is_contiguous(*k)) return ARGAND_OK;
    TRY(argand_array_create(&copy, argand_array_device(*k), argand_array_type(*k), 1, (*k)->dims));
    const argand_status status = argand_array_copy(copy, *k);
    argand_array_destroy(*k);
    *k = copy;
    return status;
}

static argand_status wrap(once_arrays *a, argand_device *device, void *samples, const void *strengths,
                          int64_t vectors, const argand_nufft_points *sources,
                          const argand_nufft_points *targets, const argand_nufft3_options *options)
{
    TRY(once_wrap_points(a->k, device, "nufft3", "source", sources, options->rank));
    TRY(once_wrap_points(a->other, device, "nufft3", "target", targets, options->rank));
    for (int axis = 0; axis < options->rank; axis++) {
        TRY(together(&a->k[axis]));
        TRY(together(&a->other[axis]));
    }
    const int64_t in[2] = {sources->count, vectors}, out[2] = {targets->count, vectors};
    TRY(argand_array_wrap(&a->in, device, options->type, 2, in, NULL, (void *)(uintptr_t)strengths));
    return argand_array_wrap(&a->out, device, options->type, 2, out, NULL, samples);
}

argand_status argand_nufft_type3(argand_device *device, void *samples, const void *strengths, int64_t vectors,
                                 const argand_nufft_points *sources, const argand_nufft_points *targets,
                                 const argand_nufft3_options *options)
{
    argand_nufft3 *plan = NULL;
    once_arrays arrays = {.in = NULL};
    argand_status status;
    TRY(once_check("nufft3", device, options, samples, strengths, vectors));
    const bool pool = device_pool_begin(device);
    TRY_OR_DONE(argand_nufft3_create(&plan, device, options));
    TRY_OR_DONE(wrap(&arrays, device, samples, strengths, vectors, sources, targets, options));
    TRY_OR_DONE(argand_nufft3_set_points(plan, arrays.k, arrays.other));
    status = argand_nufft3_apply(plan, arrays.out, arrays.in);
done:
    once_destroy(&arrays);
    argand_nufft3_destroy(plan);
    device_pool_end(device, pool);
    return status;
}
