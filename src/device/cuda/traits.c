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

/* Returns the driver's value of an attribute; `unknown` if the driver does not know it. */
static int attribute(const cuda_context *c, int which, int unknown)
{
    int value = 0;
    return cu.DeviceGetAttribute(&value, which, c->device) || value <= 0 ? unknown : value;
}

void cuda_traits(void *context, device_traits *t)
{
    const cuda_context *c = context;
    size_t memory = 0;
    *t = of_all;
    if (!cu.DeviceTotalMem(&memory, c->device)) t->memory = memory;
    t->units = attribute(c, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    t->wave = attribute(c, CU_DEVICE_ATTRIBUTE_WARP_SIZE, t->wave);
    t->group_items = attribute(c, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, t->group_items);
    t->registers = attribute(c, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, t->registers);
    t->group_memory =
        (size_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, (int)t->group_memory);
    chips_describe(t, c->name, c->capability);
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
