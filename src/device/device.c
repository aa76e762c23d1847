/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes devices of all backends, and the cpu device that does what a device cannot. */
#include "device/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cpu.h"
#include "base/memory.h"
#include "base/memory_guard.h"

static bool is_named(const backend *b, const char *name, size_t length)
{
    return strlen(b->name) == length && !strncmp(name, b->name, length);
}

/* Splits a device name. "cuda:1" is backend cuda, index 1; "cuda" is index 0. In "offline:h200" the
 * backend finds the index by the name "h200". */
static bool parse_name(const char *name, const backend **found, int *index)
{
    const size_t length = strcspn(name, ":");
    const char *word = name[length] ? name + length + 1 : "0";
    char *end;
    for (const backend *const *b = backends; *b; b++)
        if (is_named(*b, name, length)) *found = *b;
    if (backend_absent && is_named(backend_absent, name, length)) *found = backend_absent;
    if (!*found) return false;
    const long number = (*found)->find ? (*found)->find(word) : strtol(word, &end, 10);
    if (!(*found)->find && (!*word || *end)) return false;
    *index = (int)number;
    return number >= 0 && number <= 1023;
}

static void list_backends(char *text, size_t size)
{
    text[0] = 0;
    for (const backend *const *b = backends; *b; b++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\"%s\"", used ? ", " : "", (*b)->name);
    }
}

/* Finds the backend and the index of a device name. */
static argand_status choose(const char *name, const backend **found, int *index)
{
    char known[256];
    list_backends(known, sizeof known);
    CHECK(parse_name(name, found, index), ARGAND_ARGUMENT,
          "device \"%s\" is not known; this build has %s, and \"auto\"; a number may follow: \"cpu:0\"%s",
          name, known,
          backend_absent ? "; \"offline:h200\" compiles for one that is not there (h100, a100, b200, rtx5090)"
                         : "");
    const char *reason = "";
    const int count = (*found)->count(&reason);
    CHECK(count > 0, ARGAND_DEVICE, "device \"%s\": %s", name, reason);
    CHECK(*index < count, ARGAND_DEVICE, "device \"%s\": the last %s device of this machine is \"%s:%d\"",
          name, (*found)->name, (*found)->name, count - 1);
    return ARGAND_OK;
}

/* Returns true if each kernel is to be waited for, as with CUDA_LAUNCH_BLOCKING. Otherwise a kernel's
 * error is reported by a later, innocent call. */
static bool is_blocking(void)
{
    const char *wanted = getenv("ARGAND_LAUNCH_BLOCKING");
    return wanted && !strcmp(wanted, "1");
}

/* Keeps the kernels of a rehearsal in the folder where plans look for them. */
static argand_status keep_rehearsed(argand_device **device)
{
    argand_cache_info info;
    argand_status status = argand_kernels_describe(&info);
    if (status == ARGAND_OK)
        status = info.is_on && info.is_writable
                     ? argand_device_keep_kernels(*device, info.folder)
                     : status_set(ARGAND_FILE, "ARGAND_REHEARSE: set ARGAND_KERNELS to a folder "
                                               "that can be written");
    if (status == ARGAND_OK) return status;
    argand_device_close(*device);
    *device = NULL;
    return status;
}

static argand_status open_index(argand_device **device, const backend *b, int index)
{
    argand_device *d;
    TRY(NEW(d, 1));
    *d = (argand_device){.backend = b, .users = 1, .blocking = is_blocking()};
    const argand_status status = b->open(index, &d->context);
    if (status != ARGAND_OK) {
        memory_free(d);
        return status;
    }
    argand_device_info info = {0};
    b->describe(d->context, &info);
    b->traits(d->context, &d->traits);
    d->traits.is_host = b->address != NULL;
    d->capability = info.capability;
    pthread_mutex_init(&d->kernels_lock, NULL);
    pthread_cond_init(&d->kernels_built, NULL);
    pthread_mutex_init(&d->arena_lock, NULL);
    pthread_mutex_init(&d->pool_lock, NULL);
    *device = d;
    if (!d->traits.rehearses) return ARGAND_OK;
    return keep_rehearsed(device);
}

/* Opens the first device that can compute. Skips devices that cannot be opened or cannot build kernels. */
static argand_status open_best(argand_device **device)
{
    argand_status status = ARGAND_DEVICE;
    for (const backend *const *b = backends; *b && status != ARGAND_OK; b++) {
        const char *reason = "";
        if ((*b)->count(&reason) > 0 && !*reason) status = open_index(device, *b, 0);
    }
    return status;
}

argand_status argand_device_open(argand_device **device, const char *name)
{
    const backend *found = NULL;
    const char *reason;
    int index = 0;
    CHECK(device, ARGAND_ARGUMENT, "argand_device_open: no place for the device");
    *device = NULL;
    CHECK(cpu_is_served(&reason), ARGAND_UNSUPPORTED, "%s", reason);
    if (!name) name = getenv("ARGAND_DEVICE");
    if (!name || !*name || !strcmp(name, "auto")) return open_best(device);
    TRY(choose(name, &found, &index));
    return open_index(device, found, index);
}

argand_status argand_device_open_stream(argand_device **device, const char *name, void *stream)
{
    TRY(argand_device_open(device, name));
    const backend *b = (*device)->backend;
    const argand_status status =
        b->use_stream ? b->use_stream((*device)->context, stream)
                      : status_set(ARGAND_UNSUPPORTED, "device \"%s\" has no streams", b->name);
    if (status != ARGAND_OK) {
        argand_device_close(*device);
        *device = NULL;
    }
    return status;
}

argand_status argand_device_set_stream(argand_device *device, void *stream)
{
    CHECK(device, ARGAND_ARGUMENT, "argand_device_set_stream: no device");
    const backend *b = device->backend;
    CHECK(b->follow_stream, ARGAND_UNSUPPORTED, "device \"%s\": its stream cannot be changed", b->name);
    return b->follow_stream(device->context, stream);
}

enum { POOL_BYTES = 4 << 20 };

static bool has_pool(argand_device *device)
{
    if (device->pool || memory_pool_create(&device->pool) != ARGAND_OK) return device->pool;
    memory_pool_limit(device->pool, POOL_BYTES);
    return true;
}

/* A thread that has a pool already keeps to it. */
static bool use_pool(argand_device *device)
{
    if (!has_pool(device)) return false;
    memory_pool *const before = memory_pool_use(device->pool);
    if (before) memory_pool_use(before);
    return !before;
}

bool device_pool_begin(argand_device *device)
{
    if (!device || !device->traits.is_host || memory_guards() || pthread_mutex_trylock(&device->pool_lock))
        return false;
    const bool begun = use_pool(device);
    if (!begun) pthread_mutex_unlock(&device->pool_lock);
    return begun;
}

void device_pool_end(argand_device *device, bool begun)
{
    if (!begun) return;
    memory_pool_use(NULL);
    pthread_mutex_unlock(&device->pool_lock);
}

device_kept *device_take_kept(argand_device *device)
{
    device_kept *found = NULL;
    for (int i = 0; i < DEVICE_KEPT && !found; i++) found = atomic_exchange(&device->kept[i], NULL);
    return found;
}

void device_give_kept(argand_device *device, device_kept *kept)
{
    for (int i = 0; i < DEVICE_KEPT; i++) {
        device_kept *none = NULL;
        if (atomic_compare_exchange_strong(&device->kept[i], &none, kept)) return;
    }
    kept->destroy(kept);
}

static void destroy_kept(argand_device *device)
{
    for (device_kept *kept; (kept = device_take_kept(device));) kept->destroy(kept);
}

argand_device *device_keep(argand_device *device)
{
    atomic_fetch_add(&device->users, 1);
    return device;
}

void argand_device_close(argand_device *device)
{
    if (!device || atomic_fetch_sub(&device->users, 1) != 1) return;
    destroy_kept(device);
    argand_device_close(device->host);
    kernels_finish(device);
    kernels_discard(device);
    arena_close(device);
    pthread_mutex_destroy(&device->kernels_lock);
    pthread_cond_destroy(&device->kernels_built);
    pthread_mutex_destroy(&device->arena_lock);
    pthread_mutex_destroy(&device->pool_lock);
    memory_pool_destroy(device->pool);
    device->backend->close(device->context);
    memory_free(device->kept_in);
    memory_free(device);
}

argand_status argand_device_set_threads(argand_device *device, int threads)
{
    CHECK(device, ARGAND_ARGUMENT, "argand_device_set_threads: no device");
    CHECK(threads >= 0 && threads <= 4096, ARGAND_ARGUMENT, "%d threads: give 0 (all) to 4096", threads);
    device->threads = threads;
    if (device->host) TRY(argand_device_set_threads(device->host, threads));
    return device->backend->set_threads ? device->backend->set_threads(device->context, threads) : ARGAND_OK;
}

/* ---- the host ---- */

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
