/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the kernels of a call and starts them as one. Between kernels_collect and kernels_start_collected
 * the thread's kernels wait in its collection. Whatever else the thread does on the device (stream.c) first
 * starts those collected so far, one by one. A graph of a call's kernels is made when the same ones come
 * again. */
#include <string.h>

#include "base/memory.h"
#include "device/handle.h"

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

/* The kernels of the previous call. When they come again, a graph of them is made (replay). */
struct call_graph {
    pthread_mutex_t lock;
    int count;
    kernel_run run[KERNELS_REPLAYED];
    bool tried;
    kernel_replay *replay;
};

static _Thread_local collection *collecting;

argand_status call_graph_new(call_graph **graph)
{
    TRY(NEW(*graph, 1));
    pthread_mutex_init(&(*graph)->lock, NULL);
    return ARGAND_OK;
}

void call_graph_free(call_graph *graph)
{
    if (!graph) return;
    kernel_replay_free(graph->replay);
    pthread_mutex_destroy(&graph->lock);
    memory_free(graph);
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
    for (int i = 0; i < c->count && status == ARGAND_OK; i++)
        status = kernel_start_now(c->device, &c->of[i].run);
    release(c);
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

static bool is_known(const call_graph *graph, const collection *c)
{
    bool known = graph->count == c->count;
    for (int i = 0; i < c->count && known; i++) known = is_alike(&graph->run[i], &c->of[i].run);
    return known;
}

static void learn(call_graph *graph, const collection *c)
{
    kernel_replay_free(graph->replay);
    graph->replay = NULL;
    graph->tried = false;
    graph->count = c->count;
    for (int i = 0; i < c->count; i++) graph->run[i] = c->of[i].run;
}

/* Starts the runs as one if a graph of them is there or can be made. The caller holds the lock. */
static argand_status start_as_graph(call_graph *graph, collection *c)
{
    kernel_run runs[KERNELS_REPLAYED];
    for (int i = 0; i < c->count; i++) runs[i] = c->of[i].run;
    if (!is_known(graph, c)) {
        learn(graph, c);
        return start_all(c);
    }
    if (!graph->tried && !device_is_captured(c->device)) {
        graph->tried = true;
        TRY(kernel_replay_new(&graph->replay, c->device, runs, c->count));
    }
    return graph->replay ? kernel_replay_start_now(graph->replay, runs) : start_all(c);
}

argand_status kernels_start_collected(call_graph *graph, argand_status status)
{
    collection *c = collecting;
    collecting = NULL;
    if (!c) return status;
    if (status == ARGAND_OK && c->count > 0) {
        pthread_mutex_lock(&graph->lock);
        status = start_as_graph(graph, c);
        pthread_mutex_unlock(&graph->lock);
    }
    release(c);
    memory_free(c);
    return status;
}
