/* SPDX-License-Identifier: BSD-3-Clause */
/* What CUDA's driver has and HIP's has not: contexts, graphs of kernels, launches with attributes. */
#ifndef DEVICE_CUDA_DRIVER_H
#define DEVICE_CUDA_DRIVER_H

#include "device/gpu/driver.h"

typedef struct CUctx_st *CUcontext;
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
    gpu_stream stream;
    CUlaunchAttribute *attributes;
    unsigned int attribute_count;
} CUlaunchConfig;

/* A kernel node of a graph (CUDA_KERNEL_NODE_PARAMS_v2), and a dependency between two nodes. */
typedef struct CUkernelNode {
    gpu_function function;
    unsigned int groups[3], items[3], shared_bytes;
    void **arguments, **extra;
    void *kernel;
    CUcontext context;
} CUkernelNode;
typedef struct CUgraphEdge {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdge;

/* FUNCTION(name here, symbol, parameters). All return a gpu_result. */
#define CUDA_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(GetErrorName, "cuGetErrorName", (gpu_result error, const char **name))                 \
    FUNCTION(GetErrorString, "cuGetErrorString", (gpu_result error, const char **reason))           \
    FUNCTION(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, int device)) \
    FUNCTION(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int device))                 \
    FUNCTION(CtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext context))                            \
    FUNCTION(CtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext * context))                            \
    FUNCTION(StreamGetCtx, "cuStreamGetCtx", (gpu_stream stream, CUcontext * context))              \
    FUNCTION(MemcpyAsync, "cuMemcpyAsync",                                                          \
             (gpu_address to, gpu_address from, size_t bytes, gpu_stream stream))                   \
    FUNCTION(FuncSetAttribute, "cuFuncSetAttribute", (gpu_function function, int attribute, int value))

/* Functions that old drivers lack. Before 11.8, cuLaunchKernel replaces cuLaunchKernelEx. Before 12.0 there
 * are no graphs: kernels are started one by one. */
#define CUDA_OPTIONAL_FUNCTIONS(FUNCTION)                                                              \
    FUNCTION(LaunchKernelEx, "cuLaunchKernelEx",                                                       \
             (const CUlaunchConfig *config, gpu_function function, void **arguments, void **extra))    \
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
    FUNCTION(GraphLaunch, "cuGraphLaunch", (CUgraphExec exec, gpu_stream stream))                      \
    FUNCTION(StreamBeginCapture, "cuStreamBeginCapture_v2", (gpu_stream stream, int mode))             \
    FUNCTION(StreamEndCapture, "cuStreamEndCapture", (gpu_stream stream, CUgraph * graph))

/* Constants with their names in cuda.h. */
enum {
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
    CU_MEMORYTYPE_DEVICE = 2,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC = 1,
    CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1,
};

#define CUDA_MEMBER(name, symbol, parameters) gpu_result(*name) parameters;
typedef struct cuda_driver {
    gpu_driver common;
    CUDA_FUNCTIONS(CUDA_MEMBER)
    CUDA_OPTIONAL_FUNCTIONS(CUDA_MEMBER)
} cuda_driver;

extern cuda_driver cu; /* filled by cuda_driver_count */

/* Opens and initialises the driver on first use. Returns the number of devices; *reason says why there are
 * none. */
int cuda_driver_count(const char **reason);

#endif
