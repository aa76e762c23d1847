/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes plans for a part of the oversampled grid, for transforms that are divided over several ranks. */
#include "nufft/slab.h"

#include "base/memory.h"
#include "device/device.h"

/* The last axis has as many planes as the slab, and an image of half of them: then deapodisation, which no
 * caller uses, stays finite, and positions are exact. */
static void fill(argand_nufft *plan, const argand_nufft_options *options, const choice *whole, int64_t planes)
{
    const int last = options->rank - 1;
    plan->options = *options;
    plan->options.n[last] = planes / 2;
    plan->options.window_only = true;
    plan->options.order = ARGAND_NUFFT_FFT_ORDER;
    plan->options.units = ARGAND_NUFFT_CYCLES;
    plan->options.sign = -1;
    plan->chosen = *whole;
    plan->chosen.grid[last] = planes;
    plan->is_slab = true;
    for (int axis = 0; axis < options->rank; axis++) plan->scale[axis] = 1;
}

argand_status nufft_slab_create(argand_nufft **plan, argand_device *device,
                                const argand_nufft_options *options, const choice *whole, int64_t planes)
{
    argand_nufft *made;
    *plan = NULL;
    CHECK(planes >= 2 && planes % 2 == 0, ARGAND_INTERNAL, "a slab of %lld planes", (long long)planes);
    TRY(NEW(made, 1));
    fill(made, options, whole, planes);
    const argand_status status = layout_create(&made->layout, &made->options, &made->chosen, false);
    if (status != ARGAND_OK) {
        memory_free(made);
        return status;
    }
    made->device = device_keep(device);
    *plan = made;
    return ARGAND_OK;
}
