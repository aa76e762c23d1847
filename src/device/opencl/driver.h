/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of OpenCL 1.2 that Argand uses, declared here. The loader (libOpenCL.so.1) is opened at
 * run time. A build needs no OpenCL headers, and one binary runs with and without OpenCL. */
#ifndef DEVICE_OPENCL_DRIVER_H
#define DEVICE_OPENCL_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong, cl_bits;
typedef struct cl_platform_st *cl_platform;
typedef struct cl_device_st *cl_device;
typedef struct cl_context_st *cl_context;
typedef struct cl_queue_st *cl_queue;
typedef struct cl_mem_st *cl_mem;
typedef struct cl_program_st *cl_program;
typedef struct cl_kernel_st *cl_kernel;
typedef struct cl_event_st *cl_event;

/* FUNCTION(name here, symbol, result, parameters) */
#define OPENCL_FUNCTIONS(FUNCTION)                                                                          \
    FUNCTION(GetPlatformIDs, "clGetPlatformIDs", cl_int,                                                    \
             (cl_uint capacity, cl_platform * all, cl_uint * count))                                        \
    FUNCTION(GetPlatformInfo, "clGetPlatformInfo", cl_int,                                                  \
             (cl_platform platform, cl_uint what, size_t capacity, void *value, size_t *size))              \
    FUNCTION(GetDeviceIDs, "clGetDeviceIDs", cl_int,                                                        \
             (cl_platform platform, cl_bits type, cl_uint capacity, cl_device * all, cl_uint * count))      \
    FUNCTION(GetDeviceInfo, "clGetDeviceInfo", cl_int,                                                      \
             (cl_device device, cl_uint what, size_t capacity, void *value, size_t *size))                  \
    FUNCTION(CreateContext, "clCreateContext", cl_context,                                                  \
             (const intptr_t *properties, cl_uint count, const cl_device *devices,                          \
              void (*notify)(const char *, const void *, size_t, void *), void *data, cl_int *error))       \
    FUNCTION(RetainContext, "clRetainContext", cl_int, (cl_context context))                                \
    FUNCTION(ReleaseContext, "clReleaseContext", cl_int, (cl_context context))                              \
    FUNCTION(CreateCommandQueue, "clCreateCommandQueue", cl_queue,                                          \
             (cl_context context, cl_device device, cl_bits properties, cl_int * error))                    \
    FUNCTION(RetainCommandQueue, "clRetainCommandQueue", cl_int, (cl_queue queue))                          \
    FUNCTION(ReleaseCommandQueue, "clReleaseCommandQueue", cl_int, (cl_queue queue))                        \
    FUNCTION(GetCommandQueueInfo, "clGetCommandQueueInfo", cl_int,                                          \
             (cl_queue queue, cl_uint what, size_t capacity, void *value, size_t *size))                    \
    FUNCTION(Flush, "clFlush", cl_int, (cl_queue queue))                                                    \
    FUNCTION(Finish, "clFinish", cl_int, (cl_queue queue))                                                  \
    FUNCTION(CreateBuffer, "clCreateBuffer", cl_mem,                                                        \
             (cl_context context, cl_bits flags, size_t bytes, void *host, cl_int *error))                  \
    FUNCTION(RetainMemObject, "clRetainMemObject", cl_int, (cl_mem memory))                                 \
    FUNCTION(ReleaseMemObject, "clReleaseMemObject", cl_int, (cl_mem memory))                               \
    FUNCTION(GetMemObjectInfo, "clGetMemObjectInfo", cl_int,                                                \
             (cl_mem memory, cl_uint what, size_t capacity, void *value, size_t *size))                     \
    FUNCTION(EnqueueReadBuffer, "clEnqueueReadBuffer", cl_int,                                              \
             (cl_queue queue, cl_mem memory, cl_uint blocking, size_t at, size_t bytes, void *host,         \
              cl_uint waits, const cl_event *wait_for, cl_event *event))                                    \
    FUNCTION(EnqueueWriteBuffer, "clEnqueueWriteBuffer", cl_int,                                            \
             (cl_queue queue, cl_mem memory, cl_uint blocking, size_t at, size_t bytes, const void *host,   \
              cl_uint waits, const cl_event *wait_for, cl_event *event))                                    \
    FUNCTION(EnqueueCopyBuffer, "clEnqueueCopyBuffer", cl_int,                                              \
             (cl_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t bytes,           \
              cl_uint waits, const cl_event *wait_for, cl_event *event))                                    \
    FUNCTION(EnqueueFillBuffer, "clEnqueueFillBuffer", cl_int,                                              \
             (cl_queue queue, cl_mem memory, const void *pattern, size_t pattern_bytes, size_t at,          \
              size_t bytes, cl_uint waits, const cl_event *wait_for, cl_event *event))                      \
    FUNCTION(EnqueueMapBuffer, "clEnqueueMapBuffer", void *,                                                \
             (cl_queue queue, cl_mem memory, cl_uint blocking, cl_bits flags, size_t at, size_t bytes,      \
              cl_uint waits, const cl_event *wait_for, cl_event *event, cl_int *error))                     \
    FUNCTION(EnqueueUnmapMemObject, "clEnqueueUnmapMemObject", cl_int,                                      \
             (cl_queue queue, cl_mem memory, void *host, cl_uint waits, const cl_event *wait_for,           \
              cl_event *event))                                                                             \
    FUNCTION(EnqueueMarkerWithWaitList, "clEnqueueMarkerWithWaitList", cl_int,                              \
             (cl_queue queue, cl_uint waits, const cl_event *wait_for, cl_event *event))                    \
    FUNCTION(EnqueueNDRangeKernel, "clEnqueueNDRangeKernel", cl_int,                                        \
             (cl_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *first,                    \
              const size_t *items, const size_t *group_items, cl_uint waits, const cl_event *wait_for,      \
              cl_event *event))                                                                             \
    FUNCTION(WaitForEvents, "clWaitForEvents", cl_int, (cl_uint count, const cl_event *events))             \
    FUNCTION(ReleaseEvent, "clReleaseEvent", cl_int, (cl_event event))                                      \
    FUNCTION(GetEventProfilingInfo, "clGetEventProfilingInfo", cl_int,                                      \
             (cl_event event, cl_uint what, size_t capacity, void *value, size_t *size))                    \
    FUNCTION(CreateProgramWithSource, "clCreateProgramWithSource", cl_program,                              \
             (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *error)) \
    FUNCTION(CreateProgramWithBinary, "clCreateProgramWithBinary", cl_program,                              \
             (cl_context context, cl_uint count, const cl_device *devices, const size_t *lengths,           \
              const unsigned char **binaries, cl_int *statuses, cl_int *error))                             \
    FUNCTION(BuildProgram, "clBuildProgram", cl_int,                                                        \
             (cl_program program, cl_uint count, const cl_device *devices, const char *options,             \
              void (*notify)(cl_program, void *), void *data))                                              \
    FUNCTION(ReleaseProgram, "clReleaseProgram", cl_int, (cl_program program))                              \
    FUNCTION(GetProgramInfo, "clGetProgramInfo", cl_int,                                                    \
             (cl_program program, cl_uint what, size_t capacity, void *value, size_t *size))                \
    FUNCTION(                                                                                               \
        GetProgramBuildInfo, "clGetProgramBuildInfo", cl_int,                                               \
        (cl_program program, cl_device device, cl_uint what, size_t capacity, void *value, size_t *size))   \
    FUNCTION(CreateKernel, "clCreateKernel", cl_kernel,                                                     \
             (cl_program program, const char *name, cl_int *error))                                         \
    FUNCTION(ReleaseKernel, "clReleaseKernel", cl_int, (cl_kernel kernel))                                  \
    FUNCTION(SetKernelArg, "clSetKernelArg", cl_int,                                                        \
             (cl_kernel kernel, cl_uint index, size_t bytes, const void *value))                            \
    FUNCTION(GetKernelWorkGroupInfo, "clGetKernelWorkGroupInfo", cl_int,                                    \
             (cl_kernel kernel, cl_device device, cl_uint what, size_t capacity, void *value, size_t *size))

#define OPENCL_MEMBER(name, symbol, result, parameters) result(*name) parameters;
typedef struct opencl_driver {
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
} opencl_driver;
extern opencl_driver cl;

/* Constants with their names in cl.h. */
enum {
    CL_DEVICE_NOT_FOUND = -1,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_PLATFORM_NOT_FOUND_KHR = -1001,
    CL_PLATFORM_VERSION = 0x0901,
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS = 0x1003,
    CL_DEVICE_OPENCL_C_VERSION = 0x103D,
    CL_CONTEXT_PLATFORM = 0x1084,
    CL_QUEUE_CONTEXT = 0x1090,
    CL_QUEUE_DEVICE = 0x1091,
    CL_QUEUE_PROPERTIES = 0x1093,
    CL_MEM_SIZE = 0x1102,
    CL_MEM_CONTEXT = 0x1106,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2,
    CL_PROFILING_COMMAND_END = 0x1283,
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE = 1,
    CL_QUEUE_PROFILING_ENABLE = 2,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_ALLOC_HOST_PTR = 16,
    CL_MAP_READ_WRITE = 3,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 128
};
#define CL_DEVICE_TYPE_CPU UINT64_C(2)
#define CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

/* Opens the loader and fills `cl`. Returns false with the reason if there is none. */
bool opencl_driver_open(char *reason, size_t size);

/* Prints "CL_OUT_OF_RESOURCES (-5)". */
void opencl_error_text(cl_int code, char *reason, size_t size);

#endif
