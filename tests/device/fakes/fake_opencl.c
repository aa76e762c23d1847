/* SPDX-License-Identifier: BSD-3-Clause */
/* An OpenCL loader without a platform: its functions are there, as a loader must have them, and all of them
 * return the number FAKE_OPENCL_SAYS. They are weak: fake_opencl_platform.c replaces some. */
#include "device/opencl/driver.h"

#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define STUB(name, symbol, result, parameters)                                                  \
    __attribute__((visibility("default"), weak)) result fake_##name parameters __asm__(symbol); \
    result fake_##name parameters                                                               \
    {                                                                                           \
        return (result)says();                                                                  \
    }

static intptr_t says(void)
{
    const char *number = getenv("FAKE_OPENCL_SAYS");
    return number ? atoi(number) : 0;
}

OPENCL_FUNCTIONS(STUB)
