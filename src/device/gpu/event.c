/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures points in time on a device. */
#include "device/gpu/context.h"

argand_status gpu_event_new(void *context, void **event)
{
    const gpu_context *c = context;
    gpu_event made = NULL;
    TRY(gpu_enter(c));
    TRY(gpu_leave(c, gpu_check(c, c->call->EventCreate(&made, 0), "a timer cannot be made")));
    *event = made;
    return ARGAND_OK;
}

void gpu_event_free(void *context, void *event)
{
    const gpu_context *c = context;
    const bool entered = gpu_enter_to_free(c);
    c->call->EventDestroy(event);
    gpu_leave_freed(c, entered);
}

argand_status gpu_event_record(void *context, void *event)
{
    const gpu_context *c = context;
    TRY(gpu_enter(c));
    return gpu_leave(c, gpu_check(c, c->call->EventRecord(event, c->stream), "a timer cannot be set"));
}

argand_status gpu_event_between(void *context, void *first, void *second, double *milliseconds)
{
    const gpu_context *c = context;
    float elapsed = 0;
    TRY(gpu_enter(c));
    argand_status status = gpu_check(c, c->call->EventSynchronize(second), "waiting for earlier work");
    if (status == ARGAND_OK)
        status = gpu_check(c, c->call->EventElapsedTime(&elapsed, first, second), "reading a timer");
    *milliseconds = (double)elapsed;
    return gpu_leave(c, status);
}
