/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the host's requests into a device's stream: fills with zeros, transfers, kernels, calls of a vendor's
 * library; and waits for all of them. Each function first starts the kernels that this thread collected
 * (collect.c), so that the order remains. */
#include "device/handle.h"

argand_status storage_new(storage **out, argand_device *device, size_t bytes)
{
    TRY(storage_create(out, device, bytes));
    argand_status status = device_flush(device);
    if (status == ARGAND_OK)
        status = device->backend->fill(device->context, storage_memory(*out), 0, bytes, 0);
    if (status != ARGAND_OK) {
        storage_release(*out);
        *out = NULL;
    }
    return status;
}

argand_status storage_upload(storage *s, size_t at, const void *host, size_t bytes)
{
    argand_device *const device = storage_device(s);
    atomic_fetch_add(&device->uploads, 1);
    atomic_fetch_add(&device->upload_bytes, (long long)bytes);
    TRY(device_flush(device));
    return device->backend->upload(device->context, storage_memory(s), at, host, bytes);
}

argand_status storage_download(const storage *s, size_t at, void *host, size_t bytes)
{
    argand_device *const device = storage_device(s);
    atomic_fetch_add(&device->downloads, 1);
    atomic_fetch_add(&device->download_bytes, (long long)bytes);
    TRY(device_flush(device));
    return device->backend->download(device->context, host, storage_memory(s), at, bytes);
}

argand_status storage_copy(storage *to, size_t to_at, const storage *from, size_t from_at, size_t bytes)
{
    argand_device *const device = storage_device(to);
    TRY(device_flush(device));
    return device->backend->copy(device->context, storage_memory(to), to_at, storage_memory(from), from_at,
                                 bytes);
}

argand_status kernel_start(argand_device *device, const kernel_run *run)
{
    bool collected;
    TRY(kernel_collect(&collected, device, run));
    return collected ? ARGAND_OK : kernel_start_now(device, run);
}

argand_status kernel_replay_start(kernel_replay *replay, const kernel_run *runs)
{
    argand_device *const device = kernel_replay_device(replay);
    bool collected;
    TRY(kernel_collect(&collected, device, &runs[0]));
    if (!collected) return kernel_replay_start_now(replay, runs);
    for (int i = 1; i < kernel_replay_count(replay); i++) TRY(kernel_start(device, &runs[i]));
    return ARGAND_OK;
}

argand_status argand_device_wait(argand_device *device)
{
    CHECK(device, ARGAND_ARGUMENT, "argand_device_wait: no device");
    TRY(device_flush(device));
    return device->backend->wait(device->context);
}

argand_status device_enter(argand_device *device, void **stream)
{
    *stream = NULL;
    TRY(device_flush(device));
    return device->backend->native_enter ? device->backend->native_enter(device->context, stream) : ARGAND_OK;
}

void device_leave(argand_device *device)
{
    if (device->backend->native_leave) device->backend->native_leave(device->context);
}
