/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels by key: looked up among those that the device has, else built and kept. (Sources from text, their
 * specialisation and the cache on disk belong here too, when a backend compiles.) */
#include "device/handle.h"

#include <string.h>
#include "base/memory.h"

static kernel_entry *find(const argand_device *device, const char *key)
{
    for (kernel_entry *entry = device->kernels; entry; entry = entry->next)
        if (!strcmp(entry->key, key)) return entry;
    return NULL;
}

static argand_status build(argand_device *device, const char *key, kernel_entry **out)
{
    const size_t length = strlen(key);
    kernel_entry *entry;
    TRY(memory_new(&entry, 1, sizeof *entry + length + 1));
    memcpy(entry->key, key, length + 1);
    const kernel_source source = {.key = key, .name = key};
    kernel_binary binary = {0};
    const argand_status status = device->backend->build(device->context, &source, &binary, &entry->kernel);
    if (status != ARGAND_OK) {
        memory_free(entry);
        return status;
    }
    entry->next = device->kernels;
    device->kernels = *out = entry;
    return ARGAND_OK;
}

argand_status kernel_get(argand_device *device, const char *key, void **kernel)
{
    pthread_mutex_lock(&device->kernels_lock);
    argand_status status = ARGAND_OK;
    kernel_entry *entry = find(device, key);
    if (!entry) status = build(device, key, &entry);
    if (status == ARGAND_OK) *kernel = entry->kernel;
    pthread_mutex_unlock(&device->kernels_lock);
    return status;
}

void kernels_discard(argand_device *device)
{
    while (device->kernels) {
        kernel_entry *entry = device->kernels;
        device->kernels = entry->next;
        device->backend->discard(device->context, entry->kernel);
        memory_free(entry);
    }
}
