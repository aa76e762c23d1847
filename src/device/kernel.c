/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels by key and items: looked up among those that the device has, else built and kept. */
#include "device/handle.h"

#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "device/source.h"

static kernel_entry *find(const argand_device *device, const char *key, int items)
{
    for (kernel_entry *entry = device->kernels; entry; entry = entry->next)
        if (entry->items == items && !strcmp(entry->key, key)) return entry;
    return NULL;
}

/* Backends without a default number of items have their kernels compiled in and need no text. */
static bool wants_text(const argand_device *device)
{
    return device->backend->items != NULL;
}

static argand_status build_kernel(argand_device *device, kernel_entry *entry)
{
    char name[64];
    text source_text = {0};
    argand_status status = ARGAND_OK;
    TRY_OR_DONE(source_name(entry->key, name, sizeof name));
    if (wants_text(device)) TRY_OR_DONE(source_assemble(&source_text, entry->key, entry->items));
    const kernel_source source = {
        .key = entry->key, .name = name, .text = source_text.chars, .items = entry->items};
    kernel_binary binary = {0};
    status = device->backend->build(device->context, &source, &binary, &entry->kernel);
    memory_free(binary.bytes);
done:
    text_free(&source_text);
    return status;
}

static argand_status add(argand_device *device, const char *key, int items, kernel_entry **out)
{
    const size_t length = strlen(key);
    kernel_entry *entry;
    TRY(memory_new(&entry, 1, sizeof *entry + length + 1));
    memcpy(entry->key, key, length + 1);
    entry->items = items;
    const argand_status status = build_kernel(device, entry);
    if (status != ARGAND_OK) {
        memory_free(entry);
        return status;
    }
    entry->next = device->kernels;
    device->kernels = *out = entry;
    return ARGAND_OK;
}

argand_status kernel_get(argand_device *device, const char *key, int items, void **kernel)
{
    pthread_mutex_lock(&device->kernels_lock);
    argand_status status = ARGAND_OK;
    kernel_entry *entry = find(device, key, items);
    if (!entry) status = add(device, key, items, &entry);
    if (status == ARGAND_OK) *kernel = entry->kernel;
    pthread_mutex_unlock(&device->kernels_lock);
    return status;
}

int kernel_items(const argand_device *device, const char *key, int wanted)
{
    if (!wanted) wanted = source_items(key);
    if (wanted) return wanted;
    return device->backend->items ? device->backend->items(device->context) : 1;
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
