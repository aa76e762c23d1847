/* SPDX-License-Identifier: BSD-3-Clause */
/* The metal backend: GPUs of Macs. Compiled on every system; elsewhere than on macOS it has no devices. */
#include <stdio.h>
#include "base/memory.h"
#include "device/drivers/chips.h"
#include "device/metal/context.h"

static void close(void *context)
{
    metal_context *c = context;
    void *pool = objc.pool_push();
    (void)!metal_settle(c); /* a failure that nobody waited for */
    SEND(release, c->fence);
    SEND(release, c->queue);
    objc.pool_pop(pool);
    pthread_mutex_destroy(&c->lock);
    memory_free(c);
}

static argand_status open(int index, void **context)
{
    metal_context *c;
    TRY(NEW(c, 1));
    void *pool = objc.pool_push();
    pthread_mutex_init(&c->lock, NULL);
    c->index = index;
    c->device = metal_driver_device(index);
    const char *name = SEND(characters, SEND(name, c->device));
    snprintf(c->name, sizeof c->name, "%s", name ? name : "a GPU without a name");
    c->queue = SEND(new_queue, c->device);
    c->fence = SEND(new_fence, c->device);
    const argand_status status =
        c->queue && c->fence ? ARGAND_OK
                             : metal_failure(c, ARGAND_DEVICE, NULL, "it has no command queue or no fence");
    objc.pool_pop(pool);
    if (status == ARGAND_OK)
        *context = c;
    else
        close(c);
    return status;
}

static void describe(void *context, argand_device_info *info)
{
    const metal_context *c = context;
    snprintf(info->name, sizeof info->name, "%s", c->name);
    snprintf(info->backend, sizeof info->backend, "metal");
    snprintf(info->detail, sizeof info->detail, "Metal%s, units assumed",
             SEND(has_unified_memory, c->device) ? ", unified memory" : "");
}

/* Metal does not tell the number of GPU cores: 16 is between an M1 and an M1 Max. */
static void traits(void *context, device_traits *t)
{
    enum { UNITS = 16, WAVE = 32 };
    const metal_context *c = context;
    const size_t shared = SEND(group_memory, c->device);
    *t = (device_traits){.units = UNITS,
                         .wave = WAVE,
                         .group_items = METAL_MOST_ITEMS,
                         .memory = SEND(working_set, c->device),
                         .group_memory = shared,
                         .group_memory_default = shared};
    chips_describe(t, c->name, 0);
}

static int items(void *context)
{
    (void)context;
    return 256;
}

/* The host's address, by which overlaps of arrays are known. */
static void *native(void *context, void *memory)
{
    (void)context;
    return ((metal_memory *)memory)->address;
}

static argand_status wait(void *context)
{
    metal_context *c = context;
    void *pool = objc.pool_push();
    pthread_mutex_lock(&c->lock);
    const argand_status status = metal_settle(c);
    pthread_mutex_unlock(&c->lock);
    objc.pool_pop(pool);
    return status;
}

/* No `address`: layers above read it without waiting, and take a device that has it for the CPU's kind. */
extern const backend backend_metal;
const backend backend_metal = {
    .name = "metal",
    .count = metal_driver_count,
    .open = open,
    .close = close,
    .describe = describe,
    .traits = traits,
    .alloc = metal_alloc,
    .free = metal_free,
    .wrap = metal_wrap,
    .native = native,
    .upload = metal_upload,
    .download = metal_download,
    .copy = metal_copy,
    .fill = metal_fill,
    .items = items,
    .build = metal_build,
    .builds_in_parallel = true,
    .discard = metal_discard,
    .launch = metal_launch,
    .needs = metal_needs,
    .wait = wait,
};
