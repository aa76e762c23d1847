/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fake libcuda.so.1 has besides fake_gpu.c: contexts, graphs, launches with attributes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "device/cuda/driver.h"
#include "fake_inside.h"

struct CUctx_st {
    int device;
};
static struct CUctx_st primary[MOST_DEVICES] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, other = {0};
static _Thread_local struct CUctx_st *stack[8];
static _Thread_local int depth;
const struct fake_executor *fake_executor;

#define DECLARE(name, symbol, parameters) EXPORT gpu_result fake##name parameters __asm__(symbol);
CUDA_FUNCTIONS(DECLARE)
CUDA_OPTIONAL_FUNCTIONS(DECLARE)
gpu_result fakeLaunchKernel(gpu_function function, unsigned int groups_x, unsigned int groups_y,
                            unsigned int groups_z, unsigned int items_x, unsigned int items_y,
                            unsigned int items_z, unsigned int shared_bytes, gpu_stream stream,
                            void **arguments, void **extra) __asm__("cuLaunchKernel");

void fake_open(void) {}

int fake_current(void)
{
    return depth < 1 ? -1 : stack[depth - 1]->device;
}

int fake_attribute(int attribute, int device)
{
    const char *chosen = getenv("FAKE_CUDA_CAPABILITY");
    const int capability = chosen ? atoi(chosen) : 90;
    return attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? capability / 10
           : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR          ? capability % 10
           : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT              ? 132
           : attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED            ? device == 0
           : attribute == CU_DEVICE_ATTRIBUTE_WARP_SIZE                         ? 32
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK             ? 1024
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK           ? 65536
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? group_memory_of(capability)
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR    ? 2048
                                                                                : -1;
}
gpu_result fakeGetErrorName(gpu_result error, const char **name)
{
    *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == 100 ? "CUDA_ERROR_NO_DEVICE"
                           : "CUDA_ERROR_FAKE";
    return 0;
}
gpu_result fakeGetErrorString(gpu_result error, const char **text)
{
    *text = error == 2 ? "out of memory" : "so the test wants it";
    return 0;
}
gpu_result fakeDevicePrimaryCtxRetain(CUcontext *context, int device)
{
    ENTER;
    return COUNT(alive, 1), *context = &primary[device], 0;
}
gpu_result fakeDevicePrimaryCtxRelease(int device)
{
    return (void)device, COUNT(alive, -1), 0;
}
gpu_result fakeCtxPushCurrent(CUcontext context)
{
    ENTER;
    return stack[depth++] = context, 0;
}
gpu_result fakeCtxPopCurrent(CUcontext *context)
{
    if (depth < 1) return 201;
    return *context = stack[--depth], 0;
}
gpu_result fakeStreamGetCtx(gpu_stream stream, CUcontext *context)
{
    CURRENT;
    return *context = stream->is_other ? &other : &primary[stream->device], 0;
}
gpu_result fakeMemcpyAsync(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return (void)stream, COUNT(direct_copies, 1), 0;
}
/* Index of the current context's device; -1 without one. For the fake of NCCL, as cudaGetDevice for NCCL. */
EXPORT int fake_cuda_current(void);
int fake_cuda_current(void)
{
    return fake_current();
}
EXPORT gpu_result fake_ctx_device(int *device) __asm__("cuCtxGetDevice");
gpu_result fake_ctx_device(int *device)
{
    *device = fake_cuda_current();
    return *device < 0 ? 201 : 0;
}
gpu_result fakeFuncSetAttribute(gpu_function function, int attribute, int value)
{
    CURRENT;
    (void)function;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return 0; /* clusters of 16 groups */
    return fake.shared_attribute = value, fake.attribute_calls++, 0;
}
gpu_result fakeLaunchKernelEx(const CUlaunchConfig *config, gpu_function function, void **arguments,
                              void **extra)
{
    CURRENT;
    fake.early_launches += config->attribute_count == 1 && config->attributes[0].id == 6 &&
                           config->attributes[0].value.allowed == 1;
    return fakeLaunchKernel(function, config->groups[0], config->groups[1], config->groups[2],
                            config->items[0], config->items[1], config->items[2], config->shared_bytes,
                            config->stream, arguments, extra);
}

/* Graphs of kernels: nodes in a chain, whose launches are written down as others are. */
struct CUgraphNode_st {
    CUkernelNode kernel;
    gpu_address buffer;
    long long scalar;
    struct CUgraphNode_st *next;
};
struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
};
gpu_result fakeGraphCreate(CUgraph *graph, unsigned int flags)
{
    CURRENT;
    return (void)flags, *graph = calloc(1, sizeof **graph), COUNT(alive, 1), 0;
}
gpu_result fakeGraphDestroy(CUgraph graph)
{
    for (struct CUgraphNode_st *n = graph->first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    return free(graph), COUNT(alive, -1), 0;
}
static void put(struct CUgraphNode_st *node, const CUkernelNode *kernel)
{
    node->kernel = *kernel;
    memcpy(&node->buffer, kernel->arguments[0], sizeof node->buffer);
    memcpy(&node->scalar, kernel->arguments[1], sizeof node->scalar);
}
gpu_result fakeGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                  size_t after_count, const CUkernelNode *kernel)
{
    CURRENT;
    *node = calloc(1, sizeof **node);
    put(*node, kernel);
    *(graph->last ? &graph->last->next : &graph->first) = *node;
    graph->last = *node;
    return (void)after, after_count ? 1 : 0;
}
gpu_result fakeGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                    const CUgraphEdge *edges, size_t count)
{
    CURRENT;
    fake.early_edges += edges->from_port == 1 && edges->type == 1;
    return (void)graph, count != 1 || (*from)->next != *to;
}
/* What is started meanwhile is counted and not written down. */
gpu_result fakeStreamBeginCapture(gpu_stream stream, int mode)
{
    CURRENT;
    fake.captured = stream;
    return mode == 2 ? 0 : 1;
}
gpu_result fakeStreamEndCapture(gpu_stream stream, CUgraph *graph)
{
    CURRENT;
    fake.captured = NULL;
    return (void)stream, *graph = calloc(1, sizeof **graph), COUNT(alive, 1), 0;
}
gpu_result fakeGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CURRENT;
    return (void)flags, *exec = (CUgraphExec)(void *)graph, COUNT(alive, 1), 0;
}
gpu_result fakeGraphExecDestroy(CUgraphExec exec)
{
    return (void)exec, COUNT(alive, -1), 0;
}
gpu_result fakeGraphExecSetKernel(CUgraphExec exec, CUgraphNode node, const CUkernelNode *kernel)
{
    CURRENT;
    put(node, kernel);
    return (void)exec, fake.updates++, 0;
}
gpu_result fakeGraphLaunch(CUgraphExec exec, gpu_stream stream)
{
    CURRENT;
    const struct CUgraph_st *graph = (const void *)exec;
    fake.graphs++;
    fake.stream = stream;
    for (const struct CUgraphNode_st *n = graph->first; n; n = n->next) {
        fake.launches++;
        fake.groups = n->kernel.groups[0];
        fake.items = n->kernel.items[0];
        fake.shared_bytes = n->kernel.shared_bytes;
        fake.first_buffer = n->buffer;
        fake.first_scalar = n->scalar;
    }
    return 0;
}
