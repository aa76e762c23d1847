/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds kernels in the background: one thread for all devices takes request after request, and ends when
 * none is left. Each request uses the device's threads (kernels_build). A program's end waits for the request
 * that is being built, because the compiler's library must not be unloaded meanwhile. */
#include "device/handle.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"

struct kernel_request {
    kernel_request *next;
    argand_device *device; /* exists as long as the request: closing it waits */
    atomic_bool done;
    bool forgotten; /* while it is built: the thread frees it */
    argand_status status;
    char reason[1024];
    int count;
    const char *keys[KERNELS_AT_ONCE];
    char chars[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER; /* `current` became NULL */
static kernel_request *waiting, *current;              /* in order of arrival; the one that is built */
static bool has_thread, ending;
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

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (waiting && !ending) {
        kernel_request *r = current = waiting;
        waiting = r->next;
        pthread_mutex_unlock(&lock);
        serve(r);
        pthread_mutex_lock(&lock);
        current = NULL;
        atomic_store(&r->done, true);
        if (r->forgotten) memory_free(r);
        pthread_cond_broadcast(&idle);
    }
    has_thread = false;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void finish_at_exit(void)
{
    if (process != getpid()) return;
    pthread_mutex_lock(&lock);
    ending = true;
    while (current) pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
}

/* Runs after the compiler's library was opened, so that its own functions for exit are called later. */
static void register_exit(void)
{
    atexit(finish_at_exit);
}

/* Starts the thread if there is none. Called with the lock. */
static argand_status start_thread(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (has_thread && process == getpid()) return ARGAND_OK;
    process = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are left to the program's own threads */
    has_thread = !pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    CHECK(has_thread, ARGAND_MEMORY, "no thread can be started that compiles kernels");
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

argand_status kernels_request(kernel_request **out, argand_device *device, const char *const *keys, int count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    kernel_request *r, **last = &waiting;
    CHECK(count <= KERNELS_AT_ONCE, ARGAND_INTERNAL, "%d kernels at once", count);
    TRY(make_request(&r, device, keys, count));
    pthread_once(&once, register_exit);
    pthread_mutex_lock(&lock);
    while (*last) last = &(*last)->next;
    *last = r;
    const argand_status status = start_thread();
    if (status != ARGAND_OK) *last = NULL;
    pthread_mutex_unlock(&lock);
    if (status != ARGAND_OK)
        memory_free(r);
    else
        *out = r;
    return status;
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
    kernel_request **at = &waiting;
    if (!r) return;
    pthread_mutex_lock(&lock);
    while (*at && *at != r) at = &(*at)->next;
    if (*at) *at = r->next;
    r->forgotten = r == current;
    const bool is_built = r->forgotten;
    pthread_mutex_unlock(&lock);
    if (!is_built) memory_free(r);
}

void kernels_finish(const argand_device *device)
{
    pthread_mutex_lock(&lock);
    while (current && current->device == device && process == getpid()) pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
}
