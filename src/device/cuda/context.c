/* SPDX-License-Identifier: BSD-3-Clause */
#include "device/cuda/context.h"

#include <stdarg.h>
#include <stdio.h>

argand_status cuda_enter(const cuda_context *c)
{
    return cuda_check(c, cu.CtxPushCurrent(c->context), "its context cannot be made current");
}

argand_status cuda_leave(argand_status status)
{
    CUcontext ours;
    cu.CtxPopCurrent(&ours);
    return status;
}

bool cuda_enter_to_free(const cuda_context *c)
{
    return !cu.CtxPushCurrent(c->context);
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
