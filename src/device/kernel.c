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

kernel_entry *kernel_find(const argand_device *device, const char *key, int items)
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
 * the shipped kernels. compiles: false leaves *kernel NULL if there is no binary. */
static argand_status build_text(argand_device *device, const kernel_source *source, bool compiles,
                                void **kernel)
{
    kernel_id own, shipped;
    kernel_binary binary;
    cache_identify(&own, device, source);
    cache_load(&own, &binary);
    if (!binary.bytes) load_shipped(device, source, &binary);
    if (!binary.bytes && !compiles) return ARGAND_OK;
    if (device->traits.keeps_kernels) binary.unwanted = true;
    if (device->kept_in) binary.unwanted = false;
    argand_status status = device->backend->build(device->context, source, &binary, kernel);
    if (status == ARGAND_OK && binary.fresh) cache_store(&own, &binary);
    shipped_identify(&shipped, device->capability, source);
    if (status == ARGAND_OK && device->kept_in) status = keep(device, &shipped, &binary, *kernel);
    memory_free(binary.bytes);
    return status;
}

static argand_status build_kernel(argand_device *device, const kernel_entry *entry, bool compiles,
                                  void **kernel)
{
    char name[64];
    text t = {0};
    TRY(source_name(entry->key, name, sizeof name));
    kernel_source source = {.key = entry->key, .name = name, .items = entry->items};
    if (!wants_text(device))
        return device->backend->build(device->context, &source, &(kernel_binary){0}, kernel);
    argand_status status = source_assemble(&t, entry->key, entry->items);
    source.text = text_chars(&t);
    if (status == ARGAND_OK) {
        source_hash(&source);
        status = build_text(device, &source, compiles, kernel);
    }
    text_free(&t);
    return status;
}

/* ---- the device's list: all functions here are called with kernels_lock held ----
 * An entry without a kernel is being built by some thread, which does not hold the lock meanwhile if the
 * compiler can work for several threads. */

/* Finds an entry and waits until its kernel is built; NULL if there is none, or building it failed. */
static kernel_entry *find_built(argand_device *device, const char *key, int items)
{
    kernel_entry *entry = kernel_find(device, key, items);
    while (entry && !entry->kernel) {
        pthread_cond_wait(&device->kernels_built, &device->kernels_lock);
        entry = kernel_find(device, key, items);
    }
    return entry;
}

/* Adds an entry that this thread is to build. */
static argand_status begin(argand_device *device, const char *key, int items, kernel_entry **out)
{
    const size_t length = strlen(key);
    kernel_entry *entry;
    TRY(memory_new(&entry, 1, sizeof *entry + length + 1));
    memcpy(entry->key, key, length + 1);
    entry->items = items;
    entry->occupancy = -1;
    entry->next = device->kernels;
    device->kernels = entry;
    *out = entry;
    return ARGAND_OK;
}

/* Gives the entry its kernel. After a failure (NULL) removes the entry. */
static void end(argand_device *device, kernel_entry *entry, void *kernel)
{
    kernel_entry **at = &device->kernels;
    while (*at != entry) at = &(*at)->next;
    entry->kernel = kernel;
    if (!kernel) {
        *at = entry->next;
        memory_free(entry);
    }
    pthread_cond_broadcast(&device->kernels_built);
}

static argand_status make(argand_device *device, const kernel_entry *entry, void **kernel)
{
    *kernel = NULL;
    if (wants_text(device)) TRY(observe("compiling kernels", -1));
    return build_kernel(device, entry, true, kernel);
}

/* Finds or builds a kernel. */
static argand_status find_or_make(argand_device *device, const char *key, int items, kernel_entry **entry)
{
    void *kernel;
    const bool alone = !device->backend->builds_in_parallel;
    *entry = find_built(device, key, items);
    if (*entry) return ARGAND_OK;
    TRY(begin(device, key, items, entry));
    if (!alone) pthread_mutex_unlock(&device->kernels_lock);
    const argand_status status = make(device, *entry, &kernel);
    if (!alone) pthread_mutex_lock(&device->kernels_lock);
    end(device, *entry, status == ARGAND_OK ? kernel : NULL);
    return status;
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

argand_status kernel_built(argand_device *device, const char *key, void **kernel)
{
    return kernel_get(device, key, kernel_items(device, key, 0), kernel);
}

argand_status kernel_prepare(argand_device *device, const char *key)
{
    void *kernel;
    return kernel_built(device, key, &kernel);
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

/* Adds entries for the keys that no thread has begun; the others are NULL. The caller holds the lock. */
static argand_status begin_all(argand_device *device, const char *const *keys, int count,
                               kernel_entry **entries)
{
    for (int i = 0; i < count; i++) {
        const int items = kernel_items(device, keys[i], 0);
        if (!kernel_find(device, keys[i], items)) TRY(begin(device, keys[i], items, &entries[i]));
    }
    return ARGAND_OK;
}

/* Ends the entries; waits for those that other threads build. Returns false if one of these found nothing, as
 * it only looked. The caller holds the lock. */
static bool end_all(argand_device *device, const char *const *keys, int count, kernel_entry *const *entries,
                    void *const *kernels)
{
    for (int i = 0; i < count; i++)
        if (entries[i]) end(device, entries[i], kernels[i]);
    bool all = true;
    for (int i = 0; i < count; i++)
        all = find_built(device, keys[i], kernel_items(device, keys[i], 0)) && all;
    return all;
}

/* Builds the kernels that no other thread has begun. *all: the device then has all of them. */
static argand_status build_some(bool *all, argand_device *device, const char *const *keys, int count)
{
    kernel_entry *entries[KERNELS_AT_ONCE] = {NULL};
    void *kernels[KERNELS_AT_ONCE] = {NULL};
    const bool alone = !device->backend->builds_in_parallel;
    int threads = alone ? 1 : argand_device_threads(device);
    if (threads > count) threads = count;
    char reason[4096] = "";
    pthread_mutex_lock(&device->kernels_lock);
    argand_status status = begin_all(device, keys, count, entries);
    if (status != ARGAND_OK) snprintf(reason, sizeof reason, "%s", argand_message());
    if (!alone) pthread_mutex_unlock(&device->kernels_lock);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int i = 0; i < count; i++) {
        const argand_status mine = entries[i] ? make(device, entries[i], &kernels[i]) : ARGAND_OK;
        if (mine == ARGAND_OK) continue;
        kernels[i] = NULL;
#pragma omp critical(argand_kernels_build)
        if (status == ARGAND_OK) { /* each thread has its own message */
            status = mine;
            snprintf(reason, sizeof reason, "%s", argand_message());
        }
    }
    if (!alone) pthread_mutex_lock(&device->kernels_lock);
    *all = end_all(device, keys, count, entries, kernels);
    pthread_mutex_unlock(&device->kernels_lock);
    return status == ARGAND_OK ? status : status_set(status, "%s", reason);
}

argand_status kernels_build(argand_device *device, const char *const *keys, int count)
{
    CHECK(count <= KERNELS_AT_ONCE, ARGAND_INTERNAL, "%d kernels at once", count);
    for (bool all = false; !all;) TRY(build_some(&all, device, keys, count));
    return ARGAND_OK;
}

/* Waits while another thread looks for the key's kernel. The caller holds the lock. */
static bool is_there(argand_device *device, const char *key)
{
    const int items = kernel_items(device, key, 0);
    const kernel_entry *entry = kernel_find(device, key, items);
    while (entry && !entry->kernel && entry->is_tried) {
        pthread_cond_wait(&device->kernels_built, &device->kernels_lock);
        entry = kernel_find(device, key, items);
    }
    return entry && entry->kernel;
}

/* Ends the entries. Returns true if the device has the kernels of all keys. */
static bool end_loaded(argand_device *device, const char *const *keys, int count,
                       kernel_entry *const *entries, void *const *kernels)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        if (entries[i]) end(device, entries[i], kernels[i]);
    for (int i = 0; i < count; i++) all = is_there(device, keys[i]) && all;
    return all;
}

bool kernels_load(argand_device *device, const char *const *keys, int count)
{
    kernel_entry *entries[KERNELS_AT_ONCE] = {NULL};
    void *kernels[KERNELS_AT_ONCE] = {NULL};
    if (count > KERNELS_AT_ONCE || !device->backend->builds_in_parallel) return false;
    if (device->traits.rehearses_first) return kernels_build(device, keys, count) == ARGAND_OK;
    pthread_mutex_lock(&device->kernels_lock);
    bool all = begin_all(device, keys, count, entries) == ARGAND_OK;
    for (int i = 0; i < count; i++)
        if (entries[i]) entries[i]->is_tried = true;
    pthread_mutex_unlock(&device->kernels_lock);
    int threads = argand_device_threads(device);
    if (threads > count) threads = count;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int i = 0; i < count; i++)
        if (entries[i] && build_kernel(device, entries[i], false, &kernels[i]) != ARGAND_OK)
            kernels[i] = NULL;
    pthread_mutex_lock(&device->kernels_lock);
    all = end_loaded(device, keys, count, entries, kernels) && all;
    pthread_mutex_unlock(&device->kernels_lock);
    return all;
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
