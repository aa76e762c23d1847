/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts OpenCL's errors to statuses. */
#include "device/opencl/context.h"

#include <stdio.h>
#include <string.h>
#include "device/drivers/report.h"

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

/* Appends the driver's last report, and takes it away, so that it is given only once. */
static void take_report(opencl_context *c, char *reason, size_t size)
{
    const size_t used = strlen(reason);
    pthread_mutex_lock(&c->reason_lock);
    snprintf(reason + used, size - used, "%s%s", *c->reason ? ": " : "", c->reason);
    c->reason[0] = 0;
    pthread_mutex_unlock(&c->reason_lock);
}

argand_status opencl_check(opencl_context *c, cl_int error, const char *what, ...)
{
    if (!error) return ARGAND_OK;
    char reason[512];
    va_list arguments;
    va_start(arguments, what);
    opencl_error_text(error, reason, sizeof reason);
    take_report(c, reason, sizeof reason);
    const argand_status status = report_failure(
        status_of(error), (report_device){"opencl", c->index, c->name}, reason, what, arguments);
    va_end(arguments);
    return status;
}
