/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of all OpenCL platforms as one list, in the loader's order (that of `clinfo -l`). */
#ifndef DEVICE_OPENCL_PLATFORMS_H
#define DEVICE_OPENCL_PLATFORMS_H

#include "device/opencl/driver.h"

typedef struct opencl_place {
    cl_platform platform;
    cl_device device;
} opencl_place;

/* Returns the number of devices that can compute; *reason says why there are none. */
int opencl_platforms_count(const char **reason);
opencl_place opencl_platforms_place(int index);
/* Returns true if the version that the platform reports contains this text, as "PoCL" or "PoCL 5.0". */
bool opencl_platform_is(cl_platform platform, const char *product);

/* Copies a text property of a device, cut to size; "" if there is none. */
void opencl_device_text(cl_device device, cl_uint what, char *out, size_t size);

#endif
