/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeated launches as a CUDA graph: one call of the driver starts all of them, in a quarter of the time
 * of separate launches. */
#include <stdint.h>
#include <string.h>
#include "base/memory.h"
#include "device/cuda/context.h"

/* A launch, and its most recent arguments. */
typedef struct cuda_step {
    CUgraphNode node;
    gpu_address addresses[GPU_MOST_ARGUMENTS];
    unsigned char *params;
} cuda_step;

typedef struct cuda_replay {
    CUgraph graph;
    CUgraphExec exec;
    int count;
    cuda_step step[];
} cuda_replay;

static CUkernelNode node_of(const kernel_launch *l, gpu_arguments *with)
{
    return (CUkernelNode){.function = with->function,
                          .groups = {(unsigned int)l->groups, 1, 1},
                          .items = {(unsigned int)l->items, 1, 1},
                          .shared_bytes = (unsigned int)l->shared_bytes,
                          .arguments = with->pointers};
}

static void remember(cuda_step *step, const kernel_launch *l, const gpu_arguments *with)
{
    memcpy(step->addresses, with->addresses, (size_t)l->memory_count * sizeof *step->addresses);
    if (l->params_bytes) memcpy(step->params, l->params, l->params_bytes);
}

static bool is_remembered(const cuda_step *step, const kernel_launch *l, const gpu_arguments *with)
{
    return !memcmp(step->addresses, with->addresses, (size_t)l->memory_count * sizeof *step->addresses) &&
           (!l->params_bytes || !memcmp(step->params, l->params, l->params_bytes));
}

/* Adds the dependency on the previous launch. If both launches synchronise themselves, the second may
 * start before the first has ended, as in a stream. */
static gpu_result follow(const gpu_context *c, const cuda_replay *r, const kernel_launch *l, int i)
{
    const bool early = c->overlaps && l[i].overlaps && l[i - 1].overlaps;
    const CUgraphEdge edge = {.from_port = early ? CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC : 0,
                              .type = early ? CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC : 0};
    return cu.GraphAddDependencies(r->graph, &r->step[i - 1].node, &r->step[i].node, &edge, 1);
}

static argand_status add(const gpu_context *c, cuda_replay *r, const kernel_launch *l, int i)
{
    gpu_arguments with;
    TRY(gpu_pass(&with, c, &l[i]));
    if (l[i].params_bytes) TRY(memory_take(&r->step[i].params, l[i].params_bytes));
    const CUkernelNode node = node_of(&l[i], &with);
    gpu_result result = cu.GraphAddKernelNode(&r->step[i].node, r->graph, NULL, 0, &node);
    if (!result && i) result = follow(c, r, l, i);
    remember(&r->step[i], &l[i], &with);
    return gpu_check(c, result, "launches cannot be joined in a graph: %lld groups of %d, %zu bytes shared",
                     (long long)l[i].groups, l[i].items, l[i].shared_bytes);
}

static void clear(cuda_replay *r)
{
    if (r->exec) cu.GraphExecDestroy(r->exec);
    if (r->graph) cu.GraphDestroy(r->graph);
    for (int i = 0; i < r->count; i++) memory_free(r->step[i].params);
    memory_free(r);
}

static argand_status make(const gpu_context *c, cuda_replay *r, const kernel_launch *launches)
{
    TRY(gpu_check(c, cu.GraphCreate(&r->graph, 0), "a graph of launches cannot be made"));
    for (int i = 0; i < r->count; i++) TRY(add(c, r, launches, i));
    return gpu_check(c, cu.GraphInstantiate(&r->exec, r->graph, 0), "a graph of launches cannot be made");
}

/* Makes a graph. Returns ARGAND_UNSUPPORTED while the stream is captured, when no graph can be made. */
argand_status cuda_replay_new(void *context, const kernel_launch *launches, int count, void **replay)
{
    cuda_replay *r;
    CHECK(cu.GraphAddKernelNode && cu.GraphAddDependencies && cu.GraphExecSetKernel && cu.GraphInstantiate &&
              cu.GraphLaunch && cu.common.StreamIsCapturing,
          ARGAND_UNSUPPORTED, "this driver has no graphs of kernels");
    TRY(memory_new(&r, 1, sizeof *r + (size_t)count * sizeof *r->step));
    r->count = count;
    argand_status status = gpu_enter(context);
    if (status == ARGAND_OK) {
        status = gpu_is_captured(context) ? ARGAND_UNSUPPORTED : make(context, r, launches);
        if (status != ARGAND_OK) clear(r);
        gpu_leave(context, status);
    } else {
        memory_free(r);
    }
    if (status == ARGAND_OK) *replay = r;
    return status;
}

/* Passes arguments that changed since the last start. Earlier starts keep their arguments. */
static argand_status update(const gpu_context *c, cuda_replay *r, const kernel_launch *l, int i)
{
    gpu_arguments with;
    TRY(gpu_pass(&with, c, &l[i]));
    if (is_remembered(&r->step[i], &l[i], &with)) return ARGAND_OK;
    const CUkernelNode node = node_of(&l[i], &with);
    TRY(gpu_check(c, cu.GraphExecSetKernel(r->exec, r->step[i].node, &node),
                  "a graph's launch cannot be given other arrays"));
    remember(&r->step[i], &l[i], &with);
    return ARGAND_OK;
}

static argand_status start(const gpu_context *c, cuda_replay *r, const kernel_launch *launches, bool *started)
{
    *started = false;
    if (gpu_is_captured(c)) return ARGAND_OK;
    for (int i = 0; i < r->count; i++) TRY(update(c, r, launches, i));
    TRY(gpu_check(c, cu.GraphLaunch(r->exec, c->stream), "a graph of launches cannot be started"));
    *started = true;
    return ARGAND_OK;
}

argand_status cuda_replay_start(void *context, void *replay, const kernel_launch *launches, bool *started)
{
    TRY(gpu_enter(context));
    return gpu_leave(context, start(context, replay, launches, started));
}

void cuda_replay_free(void *context, void *replay)
{
    const bool entered = gpu_enter_to_free(context);
    clear(replay);
    gpu_leave_freed(context, entered);
}
