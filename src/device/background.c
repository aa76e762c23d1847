/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds kernels in the background: a few threads for all devices take request after request, and end when
 * none is left. Each request uses the device's threads (kernels_build). A program's end waits for the
 * requests that are being built, because the compiler's library must not be unloaded meanwhile. Nobody waits
 * for kernels that are wanted: a request for them belongs to its thread, and ends with the device. */
#include "device/handle.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"

enum { MOST_THREADS = 4 };

struct kernel_request {
    kernel_request *next;
    argand_device *device; /* exists as long as the request: closing it waits */
    atomic_bool done;
    bool forgotten;  /* while it is built: the thread frees it */
    bool is_threads; /* for kernels that are wanted: the thread frees it */
    argand_status status;
    char reason[1024];
    int count;
    const char *keys[KERNELS_AT_ONCE];
    char chars[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER; /* a request left `current` */
static kernel_request *waiting, *current;                /* in order of arrival; those that are built */
static int threads;
static bool ending;
static pid_t process; /* a forked child has no thread of its parent's */

static bool is_wanted(const kernel_request *r)
{
    pthread_mutex_lock(&lock);
    const bool wanted = !r->forgotten && !ending;
    pthread_mutex_unlock(&lock);
    return wanted;
}

/* Builds a request's kernels. No kernel can be loaded while the device's stream is captured into a graph:
 * then tries again after the capture. Called without the lock. */
static void serve(kernel_request *r)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    argand_status status = kernels_build(r->device, r->keys, r->count);
    for (int left = 2; status == ARGAND_UNSUPPORTED && left && is_wanted(r);) {
        if (device_is_captured(r->device))
            nanosleep(&pause, NULL);
        else
            left--; /* the capture ended meanwhile, or the reason is another one */
        status = kernels_build(r->device, r->keys, r->count);
    }
    r->status = status;
    if (status != ARGAND_OK) snprintf(r->reason, sizeof r->reason, "%s", argand_message());
}

/* Notes why the kernels of a thread's own request could not be built, for those that use others instead. */
static void note_failure(const kernel_request *r)
{
    pthread_mutex_lock(&r->device->kernels_lock);
    for (kernel_wanted *w = r->device->wanted; w; w = w->next)
        for (int i = 0; i < r->count; i++)
            if (!strcmp(w->key, r->keys[i]) &&
                !kernel_find(r->device, w->key, kernel_items(r->device, w->key, 0)))
                snprintf(w->failure, sizeof w->failure, "%.*s", (int)strcspn(r->reason, "\n"), r->reason);
    pthread_mutex_unlock(&r->device->kernels_lock);
}

static void finish_at_exit(void)
{
    if (process != getpid()) return;
    pthread_mutex_lock(&lock);
    ending = true;
    while (current) pthread_cond_wait(&served, &lock);
    pthread_mutex_unlock(&lock);
}

/* Functions for the exit are called last first. The compiler's library registers its own when it compiles for
 * the first time, and perhaps some later; so this is called after that, and after the first requests. */
static void register_exit(void)
{
    enum { ENOUGH = 32 };
    static atomic_int registered;
    if (atomic_fetch_add(&registered, 1) < ENOUGH) atexit(finish_at_exit);
}

/* Has the compiler register its functions for the exit, once. If there is no compiler, requests fail. */
static void prepare_exit(const argand_device *device)
{
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    static bool is_prepared;
    pthread_mutex_lock(&once);
    if (!is_prepared && device->backend->compile_nothing) device->backend->compile_nothing(device->context);
    if (!is_prepared) register_exit();
    is_prepared = true;
    pthread_mutex_unlock(&once);
}

/* Returns true if the list had the request, and takes it out. */
static bool remove_from(kernel_request **list, const kernel_request *r)
{
    while (*list && *list != r) list = &(*list)->next;
    if (!*list) return false;
    *list = r->next;
    return true;
}

static void *work(void *unused)
{
    (void)unused;
#ifdef __linux__
    pthread_setname_np(pthread_self(), "argand-kernels");
#endif
    pthread_mutex_lock(&lock);
    while (waiting && !ending) {
        kernel_request *r = waiting;
        waiting = r->next;
        r->next = current;
        current = r;
        pthread_mutex_unlock(&lock);
        serve(r);
        if (r->is_threads && r->status != ARGAND_OK) note_failure(r);
        register_exit();
        pthread_mutex_lock(&lock);
        remove_from(&current, r);
        atomic_store(&r->done, true);
        if (r->forgotten || r->is_threads) memory_free(r);
        pthread_cond_broadcast(&served);
    }
    threads--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Starts a further thread if there are few. Called with the lock. */
static argand_status start_thread(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (process != getpid()) { /* a child has none of its parent's threads */
        threads = 0;
        current = NULL;
    }
    if (threads == MOST_THREADS) return ARGAND_OK;
    process = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are left to the program's own threads */
    const bool started = !pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    CHECK(started || threads, ARGAND_MEMORY, "no thread can be started that compiles kernels");
    if (!started) return ARGAND_OK; /* the others will take it */
    threads++;
    pthread_detach(thread);
    return ARGAND_OK;
}

/* Copies the keys, which then live as long as the request. */
static argand_status make_request(kernel_request **out, argand_device *device, const char *const *keys,
                                  int count)
{
    size_t bytes = 0, at = 0;
    for (int i = 0; i < count; i++) bytes += strlen(keys[i]) + 1;
    TRY(memory_new(out, 1, sizeof **out + bytes));
    kernel_request *r = *out;
    r->device = device;
    r->count = count;
    for (int i = 0; i < count; i++) {
        r->keys[i] = strcpy(r->chars + at, keys[i]);
        at += strlen(keys[i]) + 1;
    }
    return ARGAND_OK;
}

bool kernels_background(const argand_device *device)
{
    return device->backend->builds_in_parallel && !device->kept_in;
}

/* Puts a request behind the others. Frees it after a failure. */
static argand_status submit(kernel_request *r)
{
    kernel_request **last = &waiting;
    prepare_exit(r->device);
    pthread_mutex_lock(&lock);
    while (*last) last = &(*last)->next;
    *last = r;
    const argand_status status = start_thread();
    if (status != ARGAND_OK) *last = NULL;
    pthread_mutex_unlock(&lock);
    if (status != ARGAND_OK) memory_free(r);
    return status;
}

argand_status kernels_request(kernel_request **out, argand_device *device, const char *const *keys, int count)
{
    kernel_request *r;
    CHECK(count <= KERNELS_AT_ONCE, ARGAND_INTERNAL, "%d kernels at once", count);
    TRY(make_request(&r, device, keys, count));
    TRY(submit(r));
    *out = r;
    return ARGAND_OK;
}

bool kernels_are_ready(const kernel_request *r, argand_status *status, const char **reason)
{
    if (!atomic_load(&r->done)) return false;
    *status = r->status;
    if (reason) *reason = r->reason;
    return true;
}

void kernels_forget(kernel_request *r)
{
    if (!r) return;
    pthread_mutex_lock(&lock);
    const bool is_built = !remove_from(&waiting, r) && !atomic_load(&r->done);
    r->forgotten = is_built;
    pthread_mutex_unlock(&lock);
    if (!is_built) memory_free(r);
}

/* ---- kernels that are wanted ---- */

/* Returns true if the device has the kernel or some thread builds it, and if it was wanted before: after a
 * failure it is not tried again. The caller holds the device's lock. */
static bool is_known(const argand_device *device, const char *key)
{
    const kernel_entry *entry = kernel_find(device, key, kernel_items(device, key, 0));
    for (const kernel_wanted *w = device->wanted; w; w = w->next)
        if (!strcmp(w->key, key)) return true;
    return entry && (entry->kernel || !entry->is_tried);
}

/* Notes that the key is wanted. The caller holds the device's lock. */
static bool note(argand_device *device, const char *key)
{
    kernel_wanted *w;
    if (memory_new(&w, 1, sizeof *w + strlen(key) + 1) != ARGAND_OK) return false;
    strcpy(w->key, key);
    w->next = device->wanted;
    device->wanted = w;
    return true;
}

static bool is_known_now(argand_device *device, const char *key)
{
    pthread_mutex_lock(&device->kernels_lock);
    const bool known = is_known(device, key);
    pthread_mutex_unlock(&device->kernels_lock);
    return known;
}

void kernels_want(argand_device *device, const char *const *keys, int count)
{
    const char *missing[KERNELS_AT_ONCE];
    int number = 0;
    kernel_request *r;
    if (!kernels_background(device)) return;
    for (int i = 0; i < count && number < KERNELS_AT_ONCE; i++) {
        if (is_known_now(device, keys[i]) || kernels_load(device, &keys[i], 1)) continue;
        pthread_mutex_lock(&device->kernels_lock);
        if (!is_known(device, keys[i]) && note(device, keys[i])) missing[number++] = keys[i];
        pthread_mutex_unlock(&device->kernels_lock);
    }
    /* ignores failures: the kernel is built at its first use, or a more general one goes on */
    if (!number || make_request(&r, device, missing, number) != ARGAND_OK) return;
    r->is_threads = true;
    (void)!submit(r);
}

/* Returns true if the kernel needs no compiler now. */
static bool is_at_hand(argand_device *device, const char *key)
{
    pthread_mutex_lock(&device->kernels_lock);
    const kernel_entry *entry = kernel_find(device, key, kernel_items(device, key, 0));
    const bool is_built = entry && entry->kernel, is_waited_for = !is_built && is_known(device, key);
    pthread_mutex_unlock(&device->kernels_lock);
    return is_built || (!is_waited_for && kernels_load(device, &key, 1));
}

bool kernel_gives_way(argand_device *device, const char *own, const char *general)
{
    if (!strcmp(own, general)) return false;
    if (device->traits.rehearses_first) return true;
    if (!kernels_background(device) || is_at_hand(device, own) || !is_at_hand(device, general)) return false;
    kernels_want(device, &own, 1);
    return true;
}

const char *kernel_failure(argand_device *device, const char *key)
{
    const char *found = NULL;
    pthread_mutex_lock(&device->kernels_lock);
    for (const kernel_wanted *w = device->wanted; w && !found; w = w->next)
        if (*w->failure && !strcmp(w->key, key)) found = w->failure;
    pthread_mutex_unlock(&device->kernels_lock);
    return found;
}

/* ---- the end of a device ---- */

/* Drops the thread's own requests for the device. The caller holds the lock. */
static void drop_wanted(const argand_device *device)
{
    for (kernel_request **at = &waiting; *at;) {
        kernel_request *r = *at;
        if (!r->is_threads || r->device != device) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        memory_free(r);
    }
}

static bool builds_for(const argand_device *device)
{
    for (const kernel_request *r = current; r; r = r->next)
        if (r->device == device) return true;
    return false;
}

void kernels_finish(argand_device *device)
{
    pthread_mutex_lock(&lock);
    drop_wanted(device);
    while (process == getpid() && builds_for(device)) pthread_cond_wait(&served, &lock);
    pthread_mutex_unlock(&lock);
    while (device->wanted) {
        kernel_wanted *w = device->wanted;
        device->wanted = w->next;
        memory_free(w);
    }
}
