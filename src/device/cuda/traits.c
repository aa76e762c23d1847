/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a CUDA device by its driver; an offline device by the table of chips. */
#include "device/cuda/context.h"

/* Properties of all chips for which NVRTC compiles (CUDA programming guide, "Compute Capabilities"). */
static const device_traits of_all = {
    .wave = 32,
    .group_items = 1024,
    .registers = 65536,
    .orders_atomics = true,
    .group_memory = 48 << 10,
    .group_memory_default = 48 << 10,
    .group_memory_given = true,
    .has_double = true,
    .native_sine = true,
};

void cuda_traits(void *context, device_traits *t)
{
    const cuda_context *c = context;
    *t = of_all;
    gpu_traits(&c->common, t);
    chips_describe(t, c->common.name, c->capability);
}

void cuda_traits_absent(const device_chip *chip, device_traits *t)
{
    *t = of_all;
    t->is_absent = true;
    t->units = chip->units;
    t->memory = chip->memory;
    t->group_memory = chip->group_memory;
    chips_describe(t, chip->name, chip->capability);
}
