/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a device is, can do and has done. */
#include "device/handle.h"

#include "base/cpu.h"
#include "base/memory_available.h"

int argand_device_threads(const argand_device *device)
{
    return device ? cpu_threads(device->threads) : 0;
}

argand_status argand_device_describe(argand_device *device, argand_device_info *info)
{
    CHECK(device && info, ARGAND_ARGUMENT, "argand_device_describe: a pointer is NULL");
    *info = (argand_device_info){0};
    device->backend->describe(device->context, info);
    const device_traits *t = &device->traits;
    info->memory = t->memory;
    info->units = t->is_host ? argand_device_threads(device) : t->units;
    info->has_double = t->has_double;
    info->host_addressable = t->is_host;
    info->is_processor = t->is_processor && !t->is_host;
    info->is_absent = t->is_absent;
    info->group_memory = t->group_memory;
    info->group_items = t->group_items;
    return ARGAND_OK;
}

bool device_has_double(const argand_device *device)
{
    return device->traits.has_double;
}

const device_traits *device_traits_of(const argand_device *device)
{
    return &device->traits;
}

void argand_test_device_traits(argand_device *device, const device_traits *traits)
{
    device->traits = *traits;
}

bool device_is_captured(const argand_device *device)
{
    const backend *b = device->backend;
    return b->is_captured && b->is_captured(device->context);
}

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

argand_transfers argand_device_transfers(const argand_device *device)
{
    if (!device) return (argand_transfers){0};
    return (argand_transfers){.uploads = atomic_load(&device->uploads),
                              .downloads = atomic_load(&device->downloads),
                              .upload_bytes = atomic_load(&device->upload_bytes),
                              .download_bytes = atomic_load(&device->download_bytes)};
}
