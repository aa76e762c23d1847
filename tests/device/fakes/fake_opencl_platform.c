/* SPDX-License-Identifier: BSD-3-Clause */
/* A platform for the loader of fake_opencl.c, of the version FAKE_OPENCL_VERSION, if that is set. Its list of
 * devices fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/opencl/driver.h"

#define SHOWN __attribute__((visibility("default")))
SHOWN cl_int platform_ids(cl_uint capacity, cl_platform *all, cl_uint *count) __asm__("clGetPlatformIDs");
SHOWN cl_int platform_info(cl_platform platform, cl_uint what, size_t capacity, void *value,
                           size_t *size) __asm__("clGetPlatformInfo");
SHOWN cl_int device_ids(cl_platform platform, cl_bits type, cl_uint capacity, cl_device *all,
                        cl_uint *count) __asm__("clGetDeviceIDs");

static const char *version(void)
{
    return getenv("FAKE_OPENCL_VERSION");
}

cl_int platform_ids(cl_uint capacity, cl_platform *all, cl_uint *count)
{
    const char *number = getenv("FAKE_OPENCL_SAYS");
    if (!version()) return number ? atoi(number) : 0;
    if (capacity) memset(all, 1, sizeof *all);
    *count = 1;
    return 0;
}

cl_int platform_info(cl_platform platform, cl_uint what, size_t capacity, void *value, size_t *size)
{
    (void)platform;
    if (what != CL_PLATFORM_VERSION || !version()) return -1;
    const int length = snprintf(value, capacity, "%s", version());
    if (size) *size = (size_t)length + 1;
    return 0;
}

cl_int device_ids(cl_platform platform, cl_bits type, cl_uint capacity, cl_device *all, cl_uint *count)
{
    (void)platform, (void)type, (void)capacity, (void)all, (void)count;
    return -1; /* CL_DEVICE_NOT_FOUND */
}
