/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds kernels by key and items among those of the device; builds missing ones. */
#include "device/handle.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/text.h"
#include "device/cache.h"
#include "device/shipped.h"
#include "device/source.h"
#include "kernels/texts.h"

static kernel_entry *find(const argand_device *device, const char *key, int items)
{
    for (kernel_entry *entry = device->kernels; entry; entry = entry->next)
        if (entry->items == items && !strcmp(entry->key, key)) return entry;
    return NULL;
}

/* Returns true if kernels are compiled from text: the backend has a default number of items. */
static bool wants_text(const argand_device *device)
{
    return device->backend->items != NULL;
}

/* Writes a kernel to the folder kept_in. After a failure, discards the kernel, so that the error is
 * noticed. */
static argand_status keep(argand_device *device, const kernel_id *id, const kernel_binary *binary,
                          void *kernel)
{
    const argand_status status = shipped_store(device->kept_in, id, binary);
    if (status != ARGAND_OK) device->backend->discard(device->context, kernel);
    return status;
}

/* Loads a shipped kernel for the device's capability, or for the first of its generation: a chip of 8.9
 * runs machine code for 8.0. */
static void load_shipped(const argand_device *device, const kernel_source *source, kernel_binary *binary)
{
    kernel_id id;
    const int capability = device->capability, first = capability / 10 * 10;
    shipped_identify(&id, capability, source);
    if (capability) shipped_load(&id, binary);
    if (binary->bytes || first == capability) return;
    shipped_identify(&id, first, source);
    shipped_load(&id, binary);
}

/* Builds a kernel from its text, or from an earlier binary of the same text in the user's cache or among
 * the shipped kernels. */
static argand_status build_text(argand_device *device, const kernel_source *source, void **kernel)
{
    kernel_id own, shipped;
    kernel_binary binary;
    cache_identify(&own, device, source);
    cache_load(&own, &binary);
    if (!binary.bytes) load_shipped(device, source, &binary);
    if (device->kept_in) binary.unwanted = false;
    argand_status status = device->backend->build(device->context, source, &binary, kernel);
    if (status == ARGAND_OK && binary.fresh) cache_store(&own, &binary);
    shipped_identify(&shipped, device->capability, source);
    if (status == ARGAND_OK && device->kept_in) status = keep(device, &shipped, &binary, *kernel);
    memory_free(binary.bytes);
    return status;
}

static argand_status build_kernel(argand_device *device, kernel_entry *entry)
{
    char name[64];
    text t = {0};
    TRY(source_name(entry->key, name, sizeof name));
    kernel_source source = {.key = entry->key, .name = name, .items = entry->items};
    if (!wants_text(device))
        return device->backend->build(device->context, &source, &(kernel_binary){0}, &entry->kernel);
    argand_status status = source_assemble(&t, entry->key, entry->items);
    source.text = text_chars(&t);
    if (status == ARGAND_OK) status = build_text(device, &source, &entry->kernel);
    text_free(&t);
    return status;
}

static argand_status make(argand_device *device, const char *key, int items, kernel_entry **out)
{
    const size_t length = strlen(key);
    kernel_entry *entry;
    TRY(memory_new(&entry, 1, sizeof *entry + length + 1));
    memcpy(entry->key, key, length + 1);
    entry->items = items;
    entry->occupancy = -1;
    argand_status status = wants_text(device) ? observe("compiling kernels", -1) : ARGAND_OK;
    if (status == ARGAND_OK) status = build_kernel(device, entry);
    if (status == ARGAND_OK)
        *out = entry;
    else
        memory_free(entry);
    return status;
}

static void add(argand_device *device, kernel_entry *entry)
{
    entry->next = device->kernels;
    device->kernels = entry;
}

/* Finds or builds a kernel. The caller holds kernels_lock. */
static argand_status find_or_make(argand_device *device, const char *key, int items, kernel_entry **entry)
{
    *entry = find(device, key, items);
    if (*entry) return ARGAND_OK;
    TRY(make(device, key, items, entry));
    add(device, *entry);
    return ARGAND_OK;
}

argand_status kernel_get(argand_device *device, const char *key, int items, void **kernel)
{
    kernel_entry *entry;
    pthread_mutex_lock(&device->kernels_lock);
    const argand_status status = find_or_make(device, key, items, &entry);
    if (status == ARGAND_OK) *kernel = entry->kernel;
    pthread_mutex_unlock(&device->kernels_lock);
    return status;
}

/* Sets the occupancy; asks the driver only once for the same shared memory. */
static argand_status ask_occupancy(argand_device *device, kernel_entry *entry, size_t shared_bytes)
{
    const kernel_launch launch = {
        .kernel = entry->kernel, .items = entry->items, .shared_bytes = shared_bytes};
    kernel_needs needs = {0};
    if (entry->occupancy >= 0 && entry->occupancy_shared == shared_bytes) return ARGAND_OK;
    const argand_status status =
        device->backend->needs ? device->backend->needs(device->context, &launch, &needs) : ARGAND_OK;
    if (status != ARGAND_OK && status != ARGAND_UNSUPPORTED) return status;
    entry->occupancy = status == ARGAND_OK ? needs.groups : 0;
    entry->occupancy_shared = shared_bytes;
    return ARGAND_OK;
}

argand_status kernel_occupancy(argand_device *device, const kernel_run *run, int *groups)
{
    kernel_entry *entry;
    pthread_mutex_lock(&device->kernels_lock);
    argand_status status = find_or_make(device, run->key, kernel_items(device, run->key, run->items), &entry);
    if (status == ARGAND_OK) status = ask_occupancy(device, entry, run->shared_bytes);
    if (status == ARGAND_OK) *groups = entry->occupancy;
    pthread_mutex_unlock(&device->kernels_lock);
    return status;
}

/* Returns true if devices of that compute capability (0: not from NVIDIA) run the key's kernel. */
static bool is_for(const char *key, int capability)
{
    char name[64];
    if (source_name(key, name, sizeof name)) return false;
    for (const kernel_recipe *r = kernel_recipes; r->name; r++)
        if (!strcmp(r->name, name)) return r->from <= capability && (!r->to || capability <= r->to);
    return false;
}

/* Returns true for keys that define only the precision: nearly every computation needs these kernels. */
static bool is_common(const char *key, const char *precision, int capability)
{
    const char *define = strchr(key, ' ');
    return define && !strncmp(define, " REAL=", 6) && !strcmp(define + 6, precision) &&
           is_for(key, capability);
}

bool kernels_in_parallel(const argand_device *device)
{
    return device->backend->builds_in_parallel;
}

argand_status kernels_build(argand_device *device, const char *const *keys, int count)
{
    kernel_entry *made[KERNELS_AT_ONCE] = {NULL};
    argand_status status = ARGAND_OK;
    CHECK(count <= KERNELS_AT_ONCE, ARGAND_INTERNAL, "%d kernels at once", count);
    int threads = device->backend->builds_in_parallel ? argand_device_threads(device) : 1;
    if (threads > count) threads = count;
    char reason[4096] = "";
    pthread_mutex_lock(&device->kernels_lock);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int i = 0; i < count; i++) {
        const int items = kernel_items(device, keys[i], 0);
        bool known = find(device, keys[i], items);
        for (int k = 0; k < i && !known; k++) known = !strcmp(keys[i], keys[k]);
        const argand_status mine = known ? ARGAND_OK : make(device, keys[i], items, &made[i]);
        if (mine == ARGAND_OK) continue;
        made[i] = NULL;
#pragma omp critical(argand_kernels_build)
        if (status == ARGAND_OK) { /* each thread has its own message */
            status = mine;
            snprintf(reason, sizeof reason, "%s", argand_message());
        }
    }
    for (int i = 0; i < count; i++)
        if (made[i]) add(device, made[i]);
    pthread_mutex_unlock(&device->kernels_lock);
    return status == ARGAND_OK ? status : status_set(status, "%s", reason);
}

void kernels_prepare(argand_device *device, const char *precision)
{
    const char *keys[KERNELS_AT_ONCE];
    int count = 0;
    if (!device->backend->builds_in_parallel) return;
    for (const char *const *key = kernel_keys; *key && count < KERNELS_AT_ONCE; key++)
        if (is_common(*key, precision, device->capability)) keys[count++] = *key;
    /* ignores failures: they occur and are reported again at the kernel's first use */
    (void)!kernels_build(device, keys, count);
}

int kernel_items(const argand_device *device, const char *key, int wanted)
{
    if (!wanted) wanted = source_items(key);
    if (wanted) return wanted;
    return device->backend->items ? device->backend->items(device->context) : 1;
}

argand_status argand_device_keep_kernels(argand_device *device, const char *folder)
{
    char *copy = NULL;
    CHECK(device, ARGAND_ARGUMENT, "argand_device_keep_kernels: no device");
    CHECK(!folder || device->capability, ARGAND_UNSUPPORTED,
          "device \"%s\": kernels are kept for CUDA devices; give cuda, or offline:h200",
          device->backend->name);
    CHECK(!folder || *folder, ARGAND_ARGUMENT, "argand_device_keep_kernels: the folder has no name");
    if (folder) TRY(memory_take(&copy, strlen(folder) + 1));
    if (folder) strcpy(copy, folder);
    pthread_mutex_lock(&device->kernels_lock);
    memory_free(device->kept_in);
    device->kept_in = copy;
    pthread_mutex_unlock(&device->kernels_lock);
    return ARGAND_OK;
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
