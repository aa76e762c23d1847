/* SPDX-License-Identifier: BSD-3-Clause */
/* Drivers of one shape: CUDA's driver API and HIP, whose functions correspond one to one. Each function is
 * declared here once and found at run time by the name that it has in the vendor's library. A build needs
 * no vendor's headers, and one binary runs with and without drivers. */
#ifndef DEVICE_GPU_DRIVER_H
#define DEVICE_GPU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

typedef int gpu_result;                 /* 0: success */
typedef unsigned long long gpu_address; /* of memory of a device */
typedef struct gpu_stream_st *gpu_stream;
typedef struct gpu_module_st *gpu_module;
typedef struct gpu_function_st *gpu_function;
typedef struct gpu_event_st *gpu_event;

/* FUNCTION(name here, symbol of CUDA, symbol of HIP, parameters). All return a gpu_result. The versions are
 * those of CUDA 11.2 and ROCm 5.2. */
#define GPU_FUNCTIONS(FUNCTION)                                                                            \
    FUNCTION(Init, "cuInit", "hipInit", (unsigned int flags))                                              \
    FUNCTION(DriverGetVersion, "cuDriverGetVersion", "hipDriverGetVersion", (int *version))                \
    FUNCTION(DeviceGetCount, "cuDeviceGetCount", "hipGetDeviceCount", (int *count))                        \
    FUNCTION(DeviceGet, "cuDeviceGet", "hipDeviceGet", (int *device, int index))                           \
    FUNCTION(DeviceGetName, "cuDeviceGetName", "hipDeviceGetName", (char *name, int size, int device))     \
    FUNCTION(DeviceTotalMem, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", (size_t * bytes, int device))     \
    FUNCTION(DeviceGetAttribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute",                          \
             (int *value, int attribute, int device))                                                      \
    FUNCTION(StreamCreate, "cuStreamCreate", "hipStreamCreateWithFlags",                                   \
             (gpu_stream * stream, unsigned int flags))                                                    \
    FUNCTION(StreamDestroy, "cuStreamDestroy_v2", "hipStreamDestroy", (gpu_stream stream))                 \
    FUNCTION(StreamSynchronize, "cuStreamSynchronize", "hipStreamSynchronize", (gpu_stream stream))        \
    FUNCTION(StreamWaitEvent, "cuStreamWaitEvent", "hipStreamWaitEvent",                                   \
             (gpu_stream stream, gpu_event event, unsigned int flags))                                     \
    FUNCTION(EventCreate, "cuEventCreate", "hipEventCreateWithFlags",                                      \
             (gpu_event * event, unsigned int flags))                                                      \
    FUNCTION(EventDestroy, "cuEventDestroy_v2", "hipEventDestroy", (gpu_event event))                      \
    FUNCTION(EventRecord, "cuEventRecord", "hipEventRecord", (gpu_event event, gpu_stream stream))         \
    FUNCTION(EventSynchronize, "cuEventSynchronize", "hipEventSynchronize", (gpu_event event))             \
    FUNCTION(EventElapsedTime, "cuEventElapsedTime", "hipEventElapsedTime",                                \
             (float *milliseconds, gpu_event first, gpu_event second))                                     \
    FUNCTION(MemGetInfo, "cuMemGetInfo_v2", "hipMemGetInfo", (size_t * free, size_t * total))              \
    FUNCTION(MemAlloc, "cuMemAlloc_v2", "hipMalloc", (gpu_address * address, size_t bytes))                \
    FUNCTION(MemFree, "cuMemFree_v2", "hipFree", (gpu_address address))                                    \
    FUNCTION(MemHostAlloc, "cuMemHostAlloc", "hipHostMalloc",                                              \
             (void **host, size_t bytes, unsigned int flags))                                              \
    FUNCTION(MemFreeHost, "cuMemFreeHost", "hipHostFree", (void *host))                                    \
    FUNCTION(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync",                                \
             (gpu_address to, const void *from, size_t bytes, gpu_stream stream))                          \
    FUNCTION(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync",                                \
             (void *to, gpu_address from, size_t bytes, gpu_stream stream))                                \
    FUNCTION(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync",                                \
             (gpu_address to, gpu_address from, size_t bytes, gpu_stream stream))                          \
    FUNCTION(MemsetD8Async, "cuMemsetD8Async", "hipMemsetD8Async",                                         \
             (gpu_address to, unsigned char value, size_t bytes, gpu_stream stream))                       \
    FUNCTION(PointerGetAttribute, "cuPointerGetAttribute", "hipPointerGetAttribute",                       \
             (void *value, int attribute, gpu_address pointer))                                            \
    FUNCTION(PointerGetAttributes, "cuPointerGetAttributes", "hipDrvPointerGetAttributes",                 \
             (unsigned int count, int *attributes, void **values, gpu_address pointer))                    \
    FUNCTION(ModuleLoadData, "cuModuleLoadData", "hipModuleLoadData",                                      \
             (gpu_module * module, const void *image))                                                     \
    FUNCTION(ModuleUnload, "cuModuleUnload", "hipModuleUnload", (gpu_module module))                       \
    FUNCTION(ModuleGetFunction, "cuModuleGetFunction", "hipModuleGetFunction",                             \
             (gpu_function * function, gpu_module module, const char *name))                               \
    FUNCTION(FuncGetAttribute, "cuFuncGetAttribute", "hipFuncGetAttribute",                                \
             (int *value, int attribute, gpu_function function))                                           \
    FUNCTION(LaunchKernel, "cuLaunchKernel", "hipModuleLaunchKernel",                                      \
             (gpu_function function, unsigned int groups_x, unsigned int groups_y, unsigned int groups_z,  \
              unsigned int items_x, unsigned int items_y, unsigned int items_z, unsigned int shared_bytes, \
              gpu_stream stream, void **arguments, void **extra))

/* Functions that old drivers lack. MemAlloc replaces the first ones (CUDA before 11.2); only measurements
 * use the function after them; without the last ones no stream is captured. */
#define GPU_OPTIONAL_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(MemAllocAsync, "cuMemAllocAsync", "hipMallocAsync",                                            \
             (gpu_address * address, size_t bytes, gpu_stream stream))                                      \
    FUNCTION(MemFreeAsync, "cuMemFreeAsync", "hipFreeAsync", (gpu_address address, gpu_stream stream))      \
    FUNCTION(GroupsAtATime, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                  \
             "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",                                          \
             (int *groups, gpu_function function, int items, size_t shared_bytes))                          \
    FUNCTION(ThreadExchangeMode, "cuThreadExchangeStreamCaptureMode", "hipThreadExchangeStreamCaptureMode", \
             (int *mode))                                                                                   \
    FUNCTION(StreamIsCapturing, "cuStreamIsCapturing", "hipStreamIsCapturing",                              \
             (gpu_stream stream, int *status))

#define GPU_MEMBER(name, cuda, hip, parameters) gpu_result(*name) parameters;
typedef struct gpu_driver {
    GPU_FUNCTIONS(GPU_MEMBER)
    GPU_OPTIONAL_FUNCTIONS(GPU_MEMBER)
    unsigned int device_memory; /* GPU_POINTER_MEMORY_TYPE of a device's memory */
} gpu_driver;

/* Numbers that both drivers have in common. */
enum {
    GPU_OUT_OF_MEMORY = 2,
    GPU_CAPTURES_ELSEWHERE = 906, /* the legacy stream, while a stream that waits for it is captured */
    GPU_EVENT_WITHOUT_TIME = 2,
    GPU_FUNCTION_SHARED_BYTES = 1, /* static ones */
    GPU_FUNCTION_SPILLED_BYTES = 3,
    GPU_FUNCTION_REGISTERS = 4,
    GPU_POINTER_MEMORY_TYPE = 2,
    GPU_POINTER_IS_MANAGED = 8,
    GPU_POINTER_DEVICE = 9,
    GPU_POINTER_RANGE_START = 11,
    GPU_POINTER_RANGE_SIZE = 12
};

/* Numbers that differ: attributes of a device. */
typedef struct gpu_numbers {
    int units, wave, group_items, items_of_unit, registers, group_memory, pools;
} gpu_numbers;

#endif
