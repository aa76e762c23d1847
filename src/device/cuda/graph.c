/* SPDX-License-Identifier: BSD-3-Clause */
/* Work of the device's stream, recorded as a CUDA graph: the host starts it with one call, and the GPU
 * does not wait for the host between two kernels. */
#include "base/memory.h"
#include "device/cuda/context.h"

enum { RELAXED = 2 }; /* CU_STREAM_CAPTURE_MODE_RELAXED */

typedef struct cuda_graph {
    CUgraph graph;
    CUgraphExec exec;
} cuda_graph;

static argand_status begin(const gpu_context *c)
{
    CHECK(cu.StreamBeginCapture && cu.StreamEndCapture && cu.GraphInstantiate && cu.GraphLaunch &&
              cu.common.StreamIsCapturing && cu.common.ThreadExchangeMode,
          ARGAND_UNSUPPORTED, "this driver records no graphs");
    CHECK(!gpu_is_captured(c), ARGAND_UNSUPPORTED, "the stream is being captured");
    return gpu_check(c, cu.StreamBeginCapture(c->stream, RELAXED), "no graph can be recorded");
}

argand_status cuda_capture_begin(void *context)
{
    TRY(gpu_enter(context));
    return gpu_leave(context, begin(context));
}

static void clear(cuda_graph *g)
{
    if (g->exec) cu.GraphExecDestroy(g->exec);
    if (g->graph) cu.GraphDestroy(g->graph);
    memory_free(g);
}

/* A capture that failed has no graph. */
static argand_status end(const gpu_context *c, void **graph)
{
    cuda_graph *g;
    CUgraph recorded = NULL;
    *graph = NULL;
    if (cu.StreamEndCapture(c->stream, &recorded) || !recorded) return ARGAND_OK;
    argand_status status = NEW(g, 1);
    if (status != ARGAND_OK) {
        cu.GraphDestroy(recorded);
        return status;
    }
    g->graph = recorded;
    status = gpu_check(c, cu.GraphInstantiate(&g->exec, recorded, 0), "a recorded graph cannot be made");
    if (status == ARGAND_OK)
        *graph = g;
    else
        clear(g);
    return status;
}

argand_status cuda_capture_end(void *context, void **graph)
{
    TRY(gpu_enter(context));
    return gpu_leave(context, end(context, graph));
}

argand_status cuda_graph_start(void *context, void *graph)
{
    const gpu_context *c = context;
    const cuda_graph *g = graph;
    TRY(gpu_enter(c));
    return gpu_leave(c,
                     gpu_check(c, cu.GraphLaunch(g->exec, c->stream), "a recorded graph cannot be started"));
}

void cuda_graph_free(void *context, void *graph)
{
    const bool entered = gpu_enter_to_free(context);
    clear(graph);
    gpu_leave_freed(context, entered);
}
