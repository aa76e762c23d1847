/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches kernels: a run names a key and storages, a launch the backend's kernel and memory. */
#include "device/handle.h"

argand_status kernel_launch_of(kernel_launch *launch, void *memory[KERNEL_BUFFERS], argand_device *device,
                               const kernel_run *run)
{
    CHECK(run->memory_count <= KERNEL_BUFFERS, ARGAND_INTERNAL, "%s: %d buffers", run->key,
          run->memory_count);
    for (int i = 0; i < run->memory_count; i++) memory[i] = storage_memory(run->memory[i]);
    *launch = (kernel_launch){.kernel = run->kernel,
                              .groups = run->groups,
                              .memory = memory,
                              .memory_count = run->memory_count,
                              .params = run->params,
                              .params_bytes = run->params_bytes,
                              .items = kernel_items(device, run->key, run->items),
                              .shared_bytes = run->shared_bytes,
                              .overlaps = run->overlaps};
    return launch->kernel ? ARGAND_OK : kernel_get(device, run->key, launch->items, &launch->kernel);
}

argand_status kernel_start_now(argand_device *device, const kernel_run *run)
{
    kernel_launch launch;
    void *memory[KERNEL_BUFFERS];
    TRY(kernel_launch_of(&launch, memory, device, run));
    argand_status status = device->backend->launch(device->context, &launch);
    const bool waits = device->blocking && !device_is_captured(device);
    if (!status && waits) status = device->backend->wait(device->context);
    return status && waits ? status_prefix(status, "kernel \"%s\": ", run->key) : status;
}
