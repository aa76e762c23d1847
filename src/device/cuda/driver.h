/* SPDX-License-Identifier: BSD-3-Clause */
/* The CUDA driver's functions that Argand uses, declared here and found at run time. A build needs no CUDA
 * headers, and one binary runs with and without a driver. */
#ifndef DEVICE_CUDA_DRIVER_H
#define DEVICE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;

/* An attribute of a launch. Argand uses only one kind. */
typedef struct CUlaunchAttribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int allowed; /* programmatic stream serialization */
    } value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig {
    unsigned int groups[3], items[3], shared_bytes;
    CUstream stream;
    CUlaunchAttribute *attributes;
    unsigned int attribute_count;
} CUlaunchConfig;

/* A kernel node of a graph (CUDA_KERNEL_NODE_PARAMS_v2), and a dependency between two nodes. */
typedef struct CUkernelNode {
    CUfunction function;
    unsigned int groups[3], items[3], shared_bytes;
    void **arguments, **extra;
    void *kernel;
    CUcontext context;
} CUkernelNode;
typedef struct CUgraphEdge {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdge;

/* FUNCTION(name here, symbol, parameters). All return a CUresult. The versions are those of CUDA 11.2. */
#define CUDA_FUNCTIONS(FUNCTION)                                                                           \
    FUNCTION(Init, "cuInit", (unsigned int flags))                                                         \
    FUNCTION(DriverGetVersion, "cuDriverGetVersion", (int *version))                                       \
    FUNCTION(GetErrorName, "cuGetErrorName", (CUresult error, const char **name))                          \
    FUNCTION(GetErrorString, "cuGetErrorString", (CUresult error, const char **reason))                    \
    FUNCTION(DeviceGetCount, "cuDeviceGetCount", (int *count))                                             \
    FUNCTION(DeviceGet, "cuDeviceGet", (CUdevice * device, int index))                                     \
    FUNCTION(DeviceGetName, "cuDeviceGetName", (char *name, int size, CUdevice device))                    \
    FUNCTION(DeviceTotalMem, "cuDeviceTotalMem_v2", (size_t * bytes, CUdevice device))                     \
    FUNCTION(DeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, CUdevice device))     \
    FUNCTION(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))   \
    FUNCTION(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice device))                   \
    FUNCTION(CtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext context))                                   \
    FUNCTION(CtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext * context))                                   \
    FUNCTION(StreamCreate, "cuStreamCreate", (CUstream * stream, unsigned int flags))                      \
    FUNCTION(StreamDestroy, "cuStreamDestroy_v2", (CUstream stream))                                       \
    FUNCTION(StreamSynchronize, "cuStreamSynchronize", (CUstream stream))                                  \
    FUNCTION(StreamGetCtx, "cuStreamGetCtx", (CUstream stream, CUcontext * context))                       \
    FUNCTION(EventCreate, "cuEventCreate", (CUevent * event, unsigned int flags))                          \
    FUNCTION(EventDestroy, "cuEventDestroy_v2", (CUevent event))                                           \
    FUNCTION(EventRecord, "cuEventRecord", (CUevent event, CUstream stream))                               \
    FUNCTION(EventSynchronize, "cuEventSynchronize", (CUevent event))                                      \
    FUNCTION(StreamWaitEvent, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned int flags))   \
    FUNCTION(EventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CUevent first, CUevent second)) \
    FUNCTION(MemGetInfo, "cuMemGetInfo_v2", (size_t * free, size_t * total))                               \
    FUNCTION(MemAlloc, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))                             \
    FUNCTION(MemFree, "cuMemFree_v2", (CUdeviceptr address))                                               \
    FUNCTION(MemHostAlloc, "cuMemHostAlloc", (void **host, size_t bytes, unsigned int flags))              \
    FUNCTION(MemFreeHost, "cuMemFreeHost", (void *host))                                                   \
    FUNCTION(MemcpyAsync, "cuMemcpyAsync",                                                                 \
             (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                            \
    FUNCTION(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                      \
             (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))                            \
    FUNCTION(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                      \
             (void *to, CUdeviceptr from, size_t bytes, CUstream stream))                                  \
    FUNCTION(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                                      \
             (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                            \
    FUNCTION(MemsetD8Async, "cuMemsetD8Async",                                                             \
             (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))                         \
    FUNCTION(PointerGetAttribute, "cuPointerGetAttribute",                                                 \
             (void *value, int attribute, CUdeviceptr pointer))                                            \
    FUNCTION(PointerGetAttributes, "cuPointerGetAttributes",                                               \
             (unsigned int count, int *attributes, void **values, CUdeviceptr pointer))                    \
    FUNCTION(ModuleLoadData, "cuModuleLoadData", (CUmodule * module, const void *image))                   \
    FUNCTION(ModuleUnload, "cuModuleUnload", (CUmodule module))                                            \
    FUNCTION(ModuleGetFunction, "cuModuleGetFunction",                                                     \
             (CUfunction * function, CUmodule module, const char *name))                                   \
    FUNCTION(FuncGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, CUfunction function))     \
    FUNCTION(FuncSetAttribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))      \
    FUNCTION(LaunchKernel, "cuLaunchKernel",                                                               \
             (CUfunction function, unsigned int groups_x, unsigned int groups_y, unsigned int groups_z,    \
              unsigned int items_x, unsigned int items_y, unsigned int items_z, unsigned int shared_bytes, \
              CUstream stream, void **arguments, void **extra))

/* Functions that old drivers lack. Before CUDA 11.2, cuMemAlloc replaces the first ones; only measurements
 * use the function after them. Before 11.8, cuLaunchKernel replaces cuLaunchKernelEx. Before 12.0 there
 * are no graphs: kernels are started one by one. */
#define CUDA_OPTIONAL_FUNCTIONS(FUNCTION)                                                              \
    FUNCTION(MemAllocAsync, "cuMemAllocAsync", (CUdeviceptr * address, size_t bytes, CUstream stream)) \
    FUNCTION(MemFreeAsync, "cuMemFreeAsync", (CUdeviceptr address, CUstream stream))                   \
    FUNCTION(GroupsAtATime, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                             \
             (int *groups, CUfunction function, int items, size_t shared_bytes))                       \
    FUNCTION(LaunchKernelEx, "cuLaunchKernelEx",                                                       \
             (const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra))      \
    FUNCTION(ThreadExchangeMode, "cuThreadExchangeStreamCaptureMode", (int *mode))                     \
    FUNCTION(StreamIsCapturing, "cuStreamIsCapturing", (CUstream stream, int *status))                 \
    FUNCTION(GraphCreate, "cuGraphCreate", (CUgraph * graph, unsigned int flags))                      \
    FUNCTION(GraphDestroy, "cuGraphDestroy", (CUgraph graph))                                          \
    FUNCTION(GraphAddKernelNode, "cuGraphAddKernelNode_v2",                                            \
             (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t after_count,         \
              const CUkernelNode *kernel))                                                             \
    FUNCTION(GraphAddDependencies, "cuGraphAddDependencies_v2",                                        \
             (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdge *edges, \
              size_t count))                                                                           \
    FUNCTION(GraphInstantiate, "cuGraphInstantiateWithFlags",                                          \
             (CUgraphExec * exec, CUgraph graph, unsigned long long flags))                            \
    FUNCTION(GraphExecDestroy, "cuGraphExecDestroy", (CUgraphExec exec))                               \
    FUNCTION(GraphExecSetKernel, "cuGraphExecKernelNodeSetParams_v2",                                  \
             (CUgraphExec exec, CUgraphNode node, const CUkernelNode *kernel))                         \
    FUNCTION(GraphLaunch, "cuGraphLaunch", (CUgraphExec exec, CUstream stream))

/* Constants with their names in cuda.h. */
enum {
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NO_DEVICE = 100,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC = 1,
    CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1,
};

#define CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters;
typedef struct cuda_driver {
    CUDA_FUNCTIONS(CUDA_MEMBER)
    CUDA_OPTIONAL_FUNCTIONS(CUDA_MEMBER)
} cuda_driver;

extern cuda_driver cu; /* filled by cuda_driver_count */

/* Opens and initialises the driver on first use. Returns the number of devices; *reason says why there are
 * none. */
int cuda_driver_count(const char **reason);
/* Prints "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)". */
void cuda_error_text(CUresult result, char *reason, size_t size);

#endif
