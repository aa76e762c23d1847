/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures points in time on a CUDA device. */
#include "device/cuda/context.h"

argand_status cuda_event_new(void *context, void **event)
{
    CUevent made = NULL;
    TRY(cuda_enter(context));
    TRY(cuda_leave(cuda_check(context, cu.EventCreate(&made, 0), "a timer cannot be made")));
    *event = made;
    return ARGAND_OK;
}

void cuda_event_free(void *context, void *event)
{
    const bool entered = cuda_enter_to_free(context);
    cu.EventDestroy(event);
    cuda_leave_freed(entered);
}

argand_status cuda_event_record(void *context, void *event)
{
    const cuda_context *c = context;
    TRY(cuda_enter(c));
    return cuda_leave(cuda_check(c, cu.EventRecord(event, c->stream), "a timer cannot be set"));
}

argand_status cuda_event_between(void *context, void *first, void *second, double *milliseconds)
{
    float elapsed = 0;
    TRY(cuda_enter(context));
    argand_status status = cuda_check(context, cu.EventSynchronize(second), "waiting for earlier work");
    if (status == ARGAND_OK)
        status = cuda_check(context, cu.EventElapsedTime(&elapsed, first, second), "reading a timer");
    *milliseconds = (double)elapsed;
    return cuda_leave(status);
}
