/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a CUDA context current for a call, and converts the driver's errors to statuses. */
#include "device/cuda/context.h"

#include <stdarg.h>
#include <stdio.h>

enum { RELAXED = 2 };

/* State of nested calls. While any thread captures a stream, the driver treats allocating, loading and
 * waiting elsewhere as errors that invalidate the capture, unless the thread's mode is relaxed. The calls
 * here do not concern the graph. */
static _Thread_local int mode_before, depth;

static CUresult push(const cuda_context *c)
{
    const CUresult result = cu.CtxPushCurrent(c->context);
    if (result || depth++) return result;
    mode_before = RELAXED;
    if (cu.ThreadExchangeMode) cu.ThreadExchangeMode(&mode_before);
    return 0;
}

argand_status cuda_enter(const cuda_context *c)
{
    return cuda_check(c, push(c), "its context cannot be made current");
}

argand_status cuda_leave(argand_status status)
{
    CUcontext ours;
    if (!--depth && cu.ThreadExchangeMode) cu.ThreadExchangeMode(&mode_before);
    cu.CtxPopCurrent(&ours);
    return status;
}

bool cuda_enter_to_free(const cuda_context *c)
{
    return !push(c);
}

void cuda_leave_freed(bool entered)
{
    if (entered) cuda_leave(ARGAND_OK);
}

argand_status cuda_check(const cuda_context *c, CUresult result, const char *what, ...)
{
    if (!result) return ARGAND_OK;
    char tried[256], reason[320];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(tried, sizeof tried, what, arguments);
    va_end(arguments);
    cuda_error_text(result, reason, sizeof reason);
    return status_set(result == CUDA_ERROR_OUT_OF_MEMORY ? ARGAND_MEMORY : ARGAND_DEVICE,
                      "cuda:%d (%s): %s: %s", c->index, c->name, tried, reason);
}
