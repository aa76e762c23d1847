/* SPDX-License-Identifier: BSD-3-Clause */
/* A libcuda.so.1 for tests without a GPU: two devices (FAKE_CUDA_DEVICES: up to 8) whose memory is the
 * host's, streams that are always done, modules that take any bytes but "bad ...", launches that are
 * written down. Each function can be made to fail, and what is alive is counted. Built with the
 * declarations of the backend itself, which are also tested so. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake_blocks.h"
#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

static struct fake_cuda fake;

EXPORT struct fake_cuda *fake_cuda_state(void);
struct fake_cuda *fake_cuda_state(void)
{
    return &fake;
}

struct CUctx_st {
    int device;
};
struct gpu_stream_st {
    struct CUctx_st *owner;
};
struct gpu_module_st {
    char image[64];
};
enum { MOST_DEVICES = 8 };
static struct CUctx_st primary[MOST_DEVICES] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, other = {0};
static struct gpu_stream_st foreign[3] = {{&primary[0]}, {&other}, {&primary[0]}};
static _Thread_local struct CUctx_st *stack[8];
static _Thread_local int depth;

/* Counts, also where threads have a device each. */
#define COUNT(what, change) __atomic_fetch_add(&fake.what, change, __ATOMIC_SEQ_CST)

static gpu_result enter(const char *function)
{
    COUNT(calls, 1);
    if (fake.fail_function && !strcmp(fake.fail_function, function) && fake.fail_after-- == 0)
        return fake.fail_with;
    return 0;
}
#define ENTER                                                           \
    do {                                                                \
        const gpu_result entered = enter(__func__ + sizeof "fake" - 1); \
        if (entered) return entered;                                    \
    } while (0)
/* most functions want a current context */
#define CURRENT                    \
    do {                           \
        ENTER;                     \
        if (depth < 1) return 201; \
    } while (0)

#define DECLARE(name, symbol, parameters) EXPORT gpu_result fake##name parameters __asm__(symbol);
#define DECLARE_COMMON(name, symbol, hip, parameters) DECLARE(name, symbol, parameters)
GPU_FUNCTIONS(DECLARE_COMMON)
GPU_OPTIONAL_FUNCTIONS(DECLARE_COMMON)
CUDA_FUNCTIONS(DECLARE)
CUDA_OPTIONAL_FUNCTIONS(DECLARE)

static gpu_result add_pinned(void **address, size_t bytes)
{
    if (!block_add(address, bytes, 1, stack[depth - 1]->device)) return 999;
    return COUNT(alive, 1), 0;
}

static gpu_result add_device(void **address, size_t bytes)
{
    if (bytes > fake.free_bytes) return GPU_OUT_OF_MEMORY;
    if (!block_add(address, bytes, 2, stack[depth - 1]->device)) return 999;
    __atomic_fetch_sub(&fake.free_bytes, bytes, __ATOMIC_SEQ_CST);
    return COUNT(alive, 1), 0;
}

static gpu_result drop_block(const void *address)
{
    unsigned int kind;
    const size_t bytes = block_drop(address, &kind);
    if (!bytes) return 1;
    if (kind == 2) __atomic_fetch_add(&fake.free_bytes, bytes, __ATOMIC_SEQ_CST);
    return COUNT(alive, -1), 0;
}

gpu_result fakeInit(unsigned int flags)
{
    fake.free_bytes = fake.free_bytes ? fake.free_bytes : (size_t)1 << 30;
    fake.devices = getenv("FAKE_CUDA_DEVICES") ? atoi(getenv("FAKE_CUDA_DEVICES")) : 2;
    (void)flags;
    return fake.devices < 0 ? CUDA_ERROR_NO_DEVICE : 0;
}
gpu_result fakeDriverGetVersion(int *version)
{
    return *version = 13000, 0;
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
gpu_result fakeDeviceGetCount(int *count)
{
    return *count = fake.devices, 0;
}
gpu_result fakeDeviceGet(int *device, int index)
{
    ENTER;
    return *device = index, index < MOST_DEVICES ? 0 : 101;
}
gpu_result fakeDeviceGetName(char *name, int size, int device)
{
    ENTER;
    return snprintf(name, (size_t)size, "Fake %d", device), 0;
}
gpu_result fakeDeviceTotalMem(size_t *bytes, int device)
{
    return (void)device, *bytes = (size_t)1 << 30, 0;
}
gpu_result fakeDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER;
    const char *chosen = getenv("FAKE_CUDA_CAPABILITY");
    const int capability = chosen ? atoi(chosen) : 90;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? capability / 10
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? capability % 10
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 132
             : attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED   ? device == 0
             : attribute == CU_DEVICE_ATTRIBUTE_WARP_SIZE                ? 32
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK    ? 1024
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK  ? 65536
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
                 ? group_memory_of(capability)
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                               : -1;
    return *value < 0;
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
gpu_result fakeStreamCreate(gpu_stream *stream, unsigned int flags)
{
    CURRENT;
    (void)flags;
    *stream = malloc(sizeof **stream);
    (*stream)->owner = stack[depth - 1];
    return COUNT(alive, 1), 0;
}
gpu_result fakeStreamDestroy(gpu_stream stream)
{
    return free(stream), COUNT(alive, -1), 0;
}
gpu_result fakeStreamSynchronize(gpu_stream stream)
{
    CURRENT;
    fake.spoiled += fake.captured && stream == fake.captured;
    return fake.captured && (stream == fake.captured || fake.mode != 2) ? 900 : 0;
}
gpu_result fakeStreamGetCtx(gpu_stream stream, CUcontext *context)
{
    CURRENT;
    return *context = stream->owner, 0;
}
gpu_result fakeEventCreate(gpu_event *event, unsigned int flags)
{
    CURRENT;
    (void)flags;
    *event = malloc(1);
    return COUNT(alive, 1), 0;
}
gpu_result fakeEventDestroy(gpu_event event)
{
    return free(event), COUNT(alive, -1), 0;
}
gpu_result fakeEventRecord(gpu_event event, gpu_stream stream)
{
    CURRENT;
    return (void)event, (void)stream, 0;
}
gpu_result fakeEventSynchronize(gpu_event event)
{
    CURRENT;
    return (void)event, 0;
}
gpu_result fakeStreamWaitEvent(gpu_stream stream, gpu_event event, unsigned int flags)
{
    CURRENT;
    return (void)event, (void)flags, fake.waits++, fake.captured && stream == fake.captured ? 905 : 0;
}
gpu_result fakeThreadExchangeMode(int *mode)
{
    CURRENT;
    const int before = fake.mode;
    return fake.mode = *mode, *mode = before, 0;
}
gpu_result fakeEventElapsedTime(float *milliseconds, gpu_event first, gpu_event second)
{
    CURRENT;
    return (void)first, (void)second, *milliseconds = 12.5f, 0;
}
gpu_result fakeMemGetInfo(size_t *bytes, size_t *total)
{
    return *bytes = fake.free_bytes, *total = (size_t)1 << 30, 0;
}
gpu_result fakeMemAlloc(gpu_address *address, size_t bytes)
{
    CURRENT;
    void *block = NULL;
    const gpu_result result = add_device(&block, bytes);
    return *address = (uintptr_t)block, result;
}
gpu_result fakeMemFree(gpu_address address)
{
    return drop_block((void *)(uintptr_t)address);
}
gpu_result fakeMemAllocAsync(gpu_address *address, size_t bytes, gpu_stream stream)
{
    CURRENT;
    void *block = NULL;
    const gpu_result result = add_device(&block, bytes);
    return (void)stream, *address = (uintptr_t)block, result;
}
gpu_result fakeMemFreeAsync(gpu_address address, gpu_stream stream)
{
    fake.spoiled += fake.captured && stream == fake.captured;
    return drop_block((void *)(uintptr_t)address);
}
/* a kernel whose numbers follow from what is asked */
gpu_result fakeFuncGetAttribute(int *value, int attribute, gpu_function function)
{
    CURRENT;
    *value = 10 * attribute;
    return (void)function, 0;
}
gpu_result fakeGroupsAtATime(int *groups, gpu_function function, int items, size_t shared_bytes)
{
    CURRENT;
    *groups = 2048 / items - (int)(shared_bytes > 0);
    return (void)function, 0;
}
gpu_result fakeMemHostAlloc(void **host, size_t bytes, unsigned int flags)
{
    CURRENT;
    return (void)flags, add_pinned(host, bytes);
}
gpu_result fakeMemFreeHost(void *host)
{
    return drop_block(host);
}
gpu_result fakeMemcpyAsync(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return (void)stream, COUNT(direct_copies, 1), 0;
}
gpu_result fakeMemcpyHtoDAsync(gpu_address to, const void *from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(to, bytes)) return 1;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return (void)stream, COUNT(copies, 1), 0;
}
gpu_result fakeMemcpyDtoHAsync(void *to, gpu_address from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(from, bytes)) return 1;
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return (void)stream, COUNT(copies, 1), 0;
}
gpu_result fakeMemcpyDtoDAsync(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(to, bytes) || !block_holds(from, bytes)) return 1;
    memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return (void)stream, 0;
}
/* Index of the current context's device; -1 without one. For the fake of NCCL, as cudaGetDevice for NCCL. */
EXPORT int fake_cuda_current(void);
int fake_cuda_current(void)
{
    return depth < 1 ? -1 : stack[depth - 1]->device;
}
EXPORT gpu_result fake_ctx_device(int *device) __asm__("cuCtxGetDevice");
gpu_result fake_ctx_device(int *device)
{
    *device = fake_cuda_current();
    return *device < 0 ? 201 : 0;
}
gpu_result fakeMemsetD8Async(gpu_address to, unsigned char value, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(to, bytes)) return 1;
    memset((void *)(uintptr_t)to, value, bytes);
    return (void)stream, 0;
}
gpu_result fakePointerGetAttribute(void *value, int attribute, gpu_address pointer)
{
    ENTER;
    const struct block *b = block_find(pointer);
    const gpu_address start = b ? (uintptr_t)b->address : 0;
    const unsigned int managed = 0;
    if (!b) return 1;
    if (attribute == GPU_POINTER_MEMORY_TYPE) memcpy(value, &b->kind, sizeof b->kind);
    if (attribute == GPU_POINTER_DEVICE) memcpy(value, &b->device, sizeof b->device);
    if (attribute == GPU_POINTER_IS_MANAGED) memcpy(value, &managed, sizeof managed);
    if (attribute == GPU_POINTER_RANGE_START) memcpy(value, &start, sizeof start);
    if (attribute == GPU_POINTER_RANGE_SIZE) memcpy(value, &b->bytes, sizeof b->bytes);
    return 0;
}
gpu_result fakePointerGetAttributes(unsigned int count, int *attributes, void **values, gpu_address pointer)
{
    ENTER;
    for (unsigned int i = 0; i < count; i++) {
        memset(values[i], 0, 4); /* unknown pointers are no error here */
        if (block_find(pointer)) fakePointerGetAttribute(values[i], attributes[i], pointer);
    }
    return 0;
}
gpu_result fakeModuleLoadData(gpu_module *module, const void *image)
{
    CURRENT;
    if (!strncmp(image, "bad", 3)) return 218;
    *module = calloc(1, sizeof **module);
    snprintf((*module)->image, sizeof(*module)->image, "%s", (const char *)image);
    return COUNT(alive, 1), fake.loads++, 0;
}
gpu_result fakeModuleUnload(gpu_module module)
{
    return free(module), COUNT(alive, -1), 0;
}
gpu_result fakeModuleGetFunction(gpu_function *function, gpu_module module, const char *name)
{
    CURRENT;
    snprintf(fake.function, sizeof fake.function, "%s", name);
    return *function = (gpu_function)(void *)module, 0;
}
gpu_result fakeFuncSetAttribute(gpu_function function, int attribute, int value)
{
    CURRENT;
    (void)function;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return 0; /* clusters of 16 groups */
    return fake.shared_attribute = value, fake.attribute_calls++, 0;
}
gpu_result fakeLaunchKernel(gpu_function function, unsigned int groups_x, unsigned int groups_y,
                            unsigned int groups_z, unsigned int items_x, unsigned int items_y,
                            unsigned int items_z, unsigned int shared_bytes, gpu_stream stream,
                            void **arguments, void **extra)
{
    CURRENT;
    (void)function, (void)groups_y, (void)groups_z, (void)items_y, (void)items_z, (void)extra;
    fake.launches++;
    fake.groups = groups_x;
    fake.items = items_x;
    fake.shared_bytes = shared_bytes;
    fake.stream = stream;
    memcpy(&fake.first_buffer, arguments[0], sizeof fake.first_buffer);
    memcpy(&fake.first_scalar, arguments[1], sizeof fake.first_scalar);
    return 0;
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
gpu_result fakeStreamIsCapturing(gpu_stream stream, int *status)
{
    CURRENT;
    return *status = fake.capturing || (stream && stream == fake.captured), 0;
}
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

EXPORT gpu_stream fake_cuda_stream(int other_context);
gpu_stream fake_cuda_stream(int other_context)
{
    return &foreign[other_context];
}
