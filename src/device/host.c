/* SPDX-License-Identifier: BSD-3-Clause */
/* The cpu device that does what a device cannot, and counters of transfers. */
#include "base/memory_there.h"
#include "device/handle.h"

bool device_is_host(const argand_device *device)
{
    return device->backend->address;
}

argand_status device_check_memory(argand_device *device, size_t bytes, const char *what)
{
    argand_device_info info;
    if (device_is_host(device)) return memory_check_all(bytes, what);
    TRY(argand_device_describe(device, &info));
    CHECK(!info.memory || bytes <= info.memory, ARGAND_MEMORY, "%s: no memory for %.6g MB; %s has %.6g MB",
          what, (double)bytes / 1e6, info.name, (double)info.memory / 1e6);
    return ARGAND_OK;
}

argand_status device_host(argand_device **host, argand_device *device)
{
    *host = device_is_host(device) ? device : atomic_load(&device->host);
    if (*host) return ARGAND_OK;
    argand_device *made, *none = NULL;
    TRY(argand_device_open(&made, "cpu"));
    const argand_status status = argand_device_set_threads(made, device->threads);
    if (status != ARGAND_OK || !atomic_compare_exchange_strong(&device->host, &none, made))
        argand_device_close(made); /* another thread was first */
    *host = status == ARGAND_OK ? atomic_load(&device->host) : NULL;
    return status;
}

argand_transfers argand_device_transfers(const argand_device *device)
{
    if (!device) return (argand_transfers){0};
    return (argand_transfers){.uploads = atomic_load(&device->uploads),
                              .downloads = atomic_load(&device->downloads),
                              .upload_bytes = atomic_load(&device->upload_bytes),
                              .download_bytes = atomic_load(&device->download_bytes)};
}
