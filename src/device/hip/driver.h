/* SPDX-License-Identifier: BSD-3-Clause */
/* What HIP has in another form than CUDA's driver: names of errors, the current device, copies whose
 * direction the driver finds, the name of the chip. */
#ifndef DEVICE_HIP_DRIVER_H
#define DEVICE_HIP_DRIVER_H

#include "device/gpu/driver.h"

/* FUNCTION(name here, symbol, result, parameters) */
#define HIP_FUNCTIONS(FUNCTION)                                                                  \
    FUNCTION(GetErrorName, "hipGetErrorName", const char *, (gpu_result error))                  \
    FUNCTION(GetErrorString, "hipGetErrorString", const char *, (gpu_result error))              \
    FUNCTION(GetDevice, "hipGetDevice", gpu_result, (int *device))                               \
    FUNCTION(SetDevice, "hipSetDevice", gpu_result, (int device))                                \
    FUNCTION(MemcpyAsync, "hipMemcpyAsync", gpu_result,                                          \
             (gpu_address to, gpu_address from, size_t bytes, int direction, gpu_stream stream)) \
    FUNCTION(GetDeviceProperties, "hipGetDeviceProperties", gpu_result, (void *properties, int device))

/* From ROCm 6 on the properties have this name and another layout; from 5.6 on a stream's device can be
 * asked for. */
#define HIP_OPTIONAL_FUNCTIONS(FUNCTION)                                          \
    FUNCTION(GetDevicePropertiesR0600, "hipGetDevicePropertiesR0600", gpu_result, \
             (void *properties, int device))                                      \
    FUNCTION(StreamGetDevice, "hipStreamGetDevice", gpu_result, (gpu_stream stream, int *device))

/* Constants with their names in hip_runtime_api.h. */
enum {
    hipErrorInvalidContext = 201,
    hipMemcpyDefault = 4,
    hipDeviceAttributeMaxThreadsPerBlock = 56,
    hipDeviceAttributeMaxThreadsPerMultiProcessor = 57,
    hipDeviceAttributeMultiprocessorCount = 63,
    hipDeviceAttributeMaxRegistersPerBlock = 71,
    hipDeviceAttributeMaxSharedMemoryPerBlock = 74,
    hipDeviceAttributeWarpSize = 87,
    hipDeviceAttributeMemoryPoolsSupported = 88,
    hipMemoryTypeDevice = 2,
    hipMemoryTypeDeviceBefore6 = 1,
    HIP_VERSION_6 = 60000000
};

#define HIP_MEMBER(name, symbol, result, parameters) result(*name) parameters;
typedef struct hip_driver {
    gpu_driver common;
    HIP_FUNCTIONS(HIP_MEMBER)
    HIP_OPTIONAL_FUNCTIONS(HIP_MEMBER)
} hip_driver;

extern hip_driver hip; /* filled by hip_driver_count */

/* Opens and initialises the driver on first use. Returns the number of devices; *reason says why there are
 * none. */
int hip_driver_count(const char **reason);
/* The library's names, newest first, ended by NULL. */
extern const char *const hip_driver_names[];

#endif
