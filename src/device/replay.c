/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts sequences of kernels that are often repeated as one, if the backend has graphs. */
#include "base/memory.h"
#include "device/handle.h"

struct kernel_replay {
    argand_device *device;
    pthread_mutex_t lock; /* held from the first change of arguments to the start */
    void *made;
    int count;
};

typedef struct launches {
    kernel_launch launch[KERNELS_REPLAYED];
    void *memory[KERNELS_REPLAYED][KERNEL_BUFFERS];
} launches;

static argand_status collect(launches *to, argand_device *device, const kernel_run *runs, int count)
{
    for (int i = 0; i < count; i++) TRY(kernel_launch_of(&to->launch[i], to->memory[i], device, &runs[i]));
    return ARGAND_OK;
}

/* Returns true if a run has no groups: an empty launch cannot be part of a sequence. */
static bool has_empty(const kernel_run *runs, int count)
{
    for (int i = 0; i < count; i++)
        if (runs[i].groups < 1) return true;
    return false;
}

argand_status kernel_replay_new(kernel_replay **out, argand_device *device, const kernel_run *runs, int count)
{
    launches all;
    kernel_replay *r;
    *out = NULL;
    CHECK(count <= KERNELS_REPLAYED, ARGAND_INTERNAL, "%d kernels at once", count);
    if (!device->backend->replay_new || !count || has_empty(runs, count)) return ARGAND_OK;
    TRY(collect(&all, device, runs, count));
    TRY(NEW(r, 1));
    const argand_status status = device->backend->replay_new(device->context, all.launch, count, &r->made);
    if (status != ARGAND_OK) {
        memory_free(r);
        return status == ARGAND_UNSUPPORTED ? ARGAND_OK : status;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->device = device;
    r->count = count;
    *out = r;
    return ARGAND_OK;
}

int kernel_replay_count(const kernel_replay *r)
{
    return r->count;
}

argand_device *kernel_replay_device(const kernel_replay *r)
{
    return r->device;
}

argand_status kernel_replay_start_now(kernel_replay *r, const kernel_run *runs)
{
    const backend *const b = r->device->backend;
    launches all;
    bool started = false;
    TRY(collect(&all, r->device, runs, r->count));
    pthread_mutex_lock(&r->lock);
    argand_status status = b->replay_start(r->device->context, r->made, all.launch, &started);
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < r->count && status == ARGAND_OK && !started; i++)
        status = b->launch(r->device->context, &all.launch[i]);
    return status;
}

void kernel_replay_free(kernel_replay *r)
{
    if (!r) return;
    r->device->backend->replay_free(r->device->context, r->made);
    pthread_mutex_destroy(&r->lock);
    memory_free(r);
}
