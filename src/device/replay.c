/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts sequences of kernels that are often repeated, and other work that is recorded once. */
#include <string.h>

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

/* Gives the runs to the collection of this thread (below), if there is one. */
static argand_status hand_over(bool *given, const kernel_replay *r, const kernel_run *runs)
{
    TRY(kernel_collect(given, r->device, &runs[0]));
    for (int i = 1; i < r->count && *given; i++) TRY(kernel_start(r->device, &runs[i]));
    return ARGAND_OK;
}

argand_status kernel_replay_start(kernel_replay *r, const kernel_run *runs)
{
    const backend *const b = r->device->backend;
    launches all;
    bool started = false;
    TRY(hand_over(&started, r, runs));
    if (started) return ARGAND_OK;
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

/* ---- launches of a call ----
 * The thread's kernels are collected until the call ends; whatever else it does on the device first starts
 * those collected so far, one by one. A graph of a call's kernels is made when the same ones come again. */

enum { PARAMS = 4096 / sizeof(uint64_t) };

/* A run with copies of what it points to. The storages are kept until it is started. */
typedef struct collected_run {
    kernel_run run;
    storage *memory[KERNEL_BUFFERS];
    uint64_t params[PARAMS];
} collected_run;

typedef struct collection {
    argand_device *device;
    bool is_open; /* nothing else was done on the device */
    int count;
    collected_run of[KERNELS_REPLAYED];
} collection;

/* The launches for which a graph was made, or will be at the next call */
struct kernel_joint {
    pthread_mutex_t lock;
    int count;
    kernel_run run[KERNELS_REPLAYED];
    bool tried;
    kernel_replay *replay;
};

static _Thread_local collection *collecting;

argand_status kernel_joint_new(kernel_joint **joint)
{
    TRY(NEW(*joint, 1));
    pthread_mutex_init(&(*joint)->lock, NULL);
    return ARGAND_OK;
}

void kernel_joint_free(kernel_joint *joint)
{
    if (!joint) return;
    kernel_replay_free(joint->replay);
    pthread_mutex_destroy(&joint->lock);
    memory_free(joint);
}

argand_status kernels_collect(argand_device *device)
{
    if (collecting || !device->backend->replay_new || device->blocking) return ARGAND_OK;
    collection *c;
    TRY(memory_take(&c, sizeof *c));
    c->device = device;
    c->is_open = true;
    c->count = 0;
    collecting = c;
    return ARGAND_OK;
}

static void release(collection *c)
{
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->of[i].run.memory_count; k++) storage_release(c->of[i].memory[k]);
    c->count = 0;
}

/* Starts the runs one by one. */
static argand_status start_all(collection *c)
{
    argand_status status = ARGAND_OK;
    collection *const own = collecting;
    collecting = NULL;
    for (int i = 0; i < c->count && status == ARGAND_OK; i++) status = kernel_start(c->device, &c->of[i].run);
    release(c);
    collecting = own;
    return status;
}

argand_status device_flush(const argand_device *device)
{
    if (!collecting || collecting->device != device || !collecting->is_open) return ARGAND_OK;
    collecting->is_open = false;
    return start_all(collecting);
}

static argand_status add(collection *c, const kernel_run *run)
{
    collected_run *to = &c->of[c->count];
    void *kernel = run->kernel;
    const int items = kernel_items(c->device, run->key, run->items);
    if (!kernel) TRY(kernel_get(c->device, run->key, items, &kernel));
    to->run = *run;
    to->run.key = "";
    to->run.kernel = kernel;
    to->run.items = items;
    for (int k = 0; k < run->memory_count; k++) to->memory[k] = storage_keep(run->memory[k]);
    to->run.memory = to->memory;
    memcpy(to->params, run->params, run->params_bytes);
    to->run.params = to->params;
    c->count++;
    return ARGAND_OK;
}

argand_status kernel_collect(bool *collected, argand_device *device, const kernel_run *run)
{
    collection *c = collecting;
    *collected = false;
    if (!c || c->device != device || !c->is_open) return ARGAND_OK;
    if (c->count == KERNELS_REPLAYED || run->params_bytes > sizeof c->of->params || run->groups < 1 ||
        run->memory_count > KERNEL_BUFFERS)
        return device_flush(device);
    *collected = true;
    return add(c, run);
}

static bool is_alike(const kernel_run *a, const kernel_run *b)
{
    return a->kernel == b->kernel && a->groups == b->groups && a->items == b->items &&
           a->memory_count == b->memory_count && a->params_bytes == b->params_bytes &&
           a->shared_bytes == b->shared_bytes && a->overlaps == b->overlaps;
}

static bool is_known(const kernel_joint *joint, const collection *c)
{
    bool known = joint->count == c->count;
    for (int i = 0; i < c->count && known; i++) known = is_alike(&joint->run[i], &c->of[i].run);
    return known;
}

static void learn(kernel_joint *joint, const collection *c)
{
    kernel_replay_free(joint->replay);
    joint->replay = NULL;
    joint->tried = false;
    joint->count = c->count;
    for (int i = 0; i < c->count; i++) joint->run[i] = c->of[i].run;
}

/* Starts the runs as one if a graph of them is there or can be made. The caller holds the lock. */
static argand_status start_joined(kernel_joint *joint, collection *c)
{
    kernel_run runs[KERNELS_REPLAYED];
    for (int i = 0; i < c->count; i++) runs[i] = c->of[i].run;
    if (!is_known(joint, c)) {
        learn(joint, c);
        return start_all(c);
    }
    if (!joint->tried && !device_is_captured(c->device)) {
        joint->tried = true;
        TRY(kernel_replay_new(&joint->replay, c->device, runs, c->count));
    }
    return joint->replay ? kernel_replay_start(joint->replay, runs) : start_all(c);
}

argand_status kernels_start_collected(kernel_joint *joint, argand_status status)
{
    collection *c = collecting;
    collecting = NULL;
    if (!c) return status;
    if (status == ARGAND_OK && c->count > 0) {
        pthread_mutex_lock(&joint->lock);
        status = start_joined(joint, c);
        pthread_mutex_unlock(&joint->lock);
    }
    release(c);
    memory_free(c);
    return status;
}

/* ---- recorded work ---- */

struct device_graph {
    argand_device *device;
    void *made;
};

argand_status device_record(device_graph **graph, argand_device *device, argand_status (*work)(void *context),
                            void *context)
{
    const backend *const b = device->backend;
    device_graph *g;
    *graph = NULL;
    if (!b->capture_begin || device->blocking) return ARGAND_OK;
    TRY(NEW(g, 1));
    g->device = device;
    argand_status status = b->capture_begin(device->context);
    if (status != ARGAND_OK) {
        memory_free(g);
        return status == ARGAND_UNSUPPORTED ? ARGAND_OK : status;
    }
    const argand_status worked = work(context);
    status = b->capture_end(device->context, &g->made);
    if (worked == ARGAND_OK && status == ARGAND_OK && g->made) {
        *graph = g;
        return ARGAND_OK;
    }
    if (g->made) b->graph_free(device->context, g->made);
    memory_free(g);
    return worked == ARGAND_OK || worked == ARGAND_UNSUPPORTED ? status : worked;
}

argand_status device_graph_start(const device_graph *g)
{
    return g->device->backend->graph_start(g->device->context, g->made);
}

void device_graph_free(device_graph *g)
{
    if (!g) return;
    g->device->backend->graph_free(g->device->context, g->made);
    memory_free(g);
}
