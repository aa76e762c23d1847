/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts kernels of penalties: chooses key, work per group and lanes, and adds up the sums of the groups. */
#include "penalty/penalty.h"

#include <stdio.h>

argand_status penalty_start(argand_device *device, const penalty_launch *l)
{
    char key[64];
    snprintf(key, sizeof key, "%s REAL=%s FOR=penalties", l->kernel,
             type_is_double(l->type) ? "double" : "float");
    const kernel_run run = {.key = key,
                            .groups = l->groups,
                            .memory = l->memory,
                            .memory_count = l->memory_count,
                            .params = l->params,
                            .params_bytes = l->bytes};
    return kernel_start(device, &run);
}

argand_status penalty_start_tally(argand_device *device, penalty_launch *l, storage **memory, const tally *t)
{
    const size_t size = device_has_double(device) ? sizeof(double) : sizeof(float);
    TRY(storage_scratch(&memory[0], device, (size_t)l->groups * 2 * size));
    l->memory = memory;
    argand_status status = penalty_start(device, l);
    if (status == ARGAND_OK && t && t->numbers)
        status = scalars_collect(t->numbers, t->at, t->factor, memory[0], l->groups, t->add);
    storage_release(memory[0]);
    return status;
}

int64_t penalty_share(const argand_array *x)
{
    return storage_address(x->storage) ? 16384 : 2048;
}

int penalty_lanes(int64_t n)
{
    int lanes = 1;
    while (lanes < 256 && lanes < n) lanes *= 2;
    return lanes;
}

int64_t penalty_groups(int64_t count, int64_t share)
{
    return (count + share - 1) / share;
}

int penalty_width(argand_type type)
{
    return type_is_complex(type) ? 2 : 1;
}
