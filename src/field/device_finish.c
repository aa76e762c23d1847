/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by general and matrix kernels of the field DFT: parts of their keys, and the launch that adds
 * partial sums. */
#include "field/device_engine.h"

#include <stdio.h>

void field_run_defines(char *text, size_t size, const field_run *run)
{
    const field_device *d = run->device;
    snprintf(text, size,
             " PHASE_FIELD=%d PHASE_DECAY=%d PHASE_GRADIENTS=%d PHASE_SINC_X=%d PHASE_SINC_Y=%d "
             "PHASE_SINC_Z=%d SUM_SPOT=%d",
             d->field, d->decay, d->gradients, d->sinc[0], d->sinc[1], d->sinc[2], FIELD_SEGMENT);
}

argand_status field_run_finish(const field_run *run, const struct field_params *params, storage *source,
                               storage *partial)
{
    enum { ITEMS = FIELD_BLOCK, MANY = 16 };
    const field_device *d = run->device;
    struct field_params p = *params;
    char key[64];
    p.weighted = run->forward && d->weights;
    const int vectors = p.vectors - p.first_vector;
    const int each = vectors > MANY ? 2 : 1; /* so that all items fit at once */
    snprintf(key, sizeof key, "field_finish REAL=%s SUM_TAKES=%d",
             field_is_double(run->plan) ? "double" : "float", each);
    storage *const memory[] = {run->out->storage, partial, source, p.weighted ? d->weights : d->samples};
    return field_launch(run, &(kernel_run){.key = key,
                                           .groups = p.places / ITEMS * ((vectors + each - 1) / each),
                                           .memory = memory,
                                           .memory_count = 4,
                                           .params = &p,
                                           .params_bytes = sizeof p,
                                           .overlaps = field_run_overlaps(),
                                           .items = ITEMS});
}
