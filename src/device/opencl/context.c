/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts OpenCL's errors to statuses. */
#include "device/opencl/context.h"

#include <stdarg.h>
#include <stdio.h>

static argand_status status_of(cl_int error)
{
    switch (error) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        return ARGAND_MEMORY;
    default:
        return ARGAND_DEVICE;
    }
}

/* Takes the driver's last report, so that it is given only once. */
static void take_reason(opencl_context *c, char *reason, size_t size)
{
    pthread_mutex_lock(&c->reason_lock);
    snprintf(reason, size, "%s%s", *c->reason ? ": " : "", c->reason);
    c->reason[0] = 0;
    pthread_mutex_unlock(&c->reason_lock);
}

argand_status opencl_check(opencl_context *c, cl_int error, const char *what, ...)
{
    if (!error) return ARGAND_OK;
    char tried[512], code[64], reason[300];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(tried, sizeof tried, what, arguments);
    va_end(arguments);
    opencl_error_text(error, code, sizeof code);
    take_reason(c, reason, sizeof reason);
    return status_set(status_of(error), "opencl:%d (%s): %s: %s%s", c->index, c->name, tried, code, reason);
}
