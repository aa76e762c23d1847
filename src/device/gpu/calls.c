/* SPDX-License-Identifier: BSD-3-Clause */
/* Surrounds calls of a driver: makes a device current, converts the driver's errors to statuses, and refuses
 * what a graph capture excludes. */
#include "device/gpu/context.h"

#include "device/drivers/report.h"

enum { RELAXED = 2 };

/* State of nested calls. While any thread captures a stream, the driver treats allocating, loading and
 * waiting elsewhere as errors that invalidate the capture, unless the thread's mode is relaxed. The calls
 * here do not concern the graph. */
static _Thread_local struct {
    int mode_before, depth;
} nested[GPU_VENDORS];

static gpu_result push(const gpu_context *c)
{
    const gpu_result result = c->vendor->push(c);
    if (result || nested[c->vendor->slot].depth++) return result;
    nested[c->vendor->slot].mode_before = RELAXED;
    if (c->call->ThreadExchangeMode) c->call->ThreadExchangeMode(&nested[c->vendor->slot].mode_before);
    return 0;
}

argand_status gpu_enter(const gpu_context *c)
{
    return gpu_check(c, push(c), "its context cannot be made current");
}

argand_status gpu_leave(const gpu_context *c, argand_status status)
{
    if (!--nested[c->vendor->slot].depth && c->call->ThreadExchangeMode)
        c->call->ThreadExchangeMode(&nested[c->vendor->slot].mode_before);
    c->vendor->pop(c);
    return status;
}

bool gpu_enter_to_free(const gpu_context *c)
{
    return !push(c);
}

void gpu_leave_freed(const gpu_context *c, bool entered)
{
    if (entered) gpu_leave(c, ARGAND_OK);
}

argand_status gpu_check(const gpu_context *c, gpu_result result, const char *what, ...)
{
    if (!result) return ARGAND_OK;
    char reason[320];
    va_list arguments;
    va_start(arguments, what);
    c->vendor->error_text(result, reason, sizeof reason);
    const argand_status status =
        report_failure(result == GPU_OUT_OF_MEMORY ? ARGAND_MEMORY : ARGAND_DEVICE,
                       (report_device){c->vendor->name, c->index, c->name}, reason, what, arguments);
    va_end(arguments);
    return status;
}

bool gpu_captures(const gpu_context *c, gpu_stream stream)
{
    int capturing = 0;
    const gpu_result result = c->call->StreamIsCapturing ? c->call->StreamIsCapturing(stream, &capturing) : 0;
    return result == GPU_CAPTURES_ELSEWHERE || (!result && capturing);
}

bool gpu_is_captured(const gpu_context *c)
{
    return gpu_captures(c, c->stream);
}

argand_status gpu_refuse_captured(const gpu_context *c, const char *what)
{
    CHECK(!gpu_is_captured(c), ARGAND_UNSUPPORTED,
          "%s:%d (%s): %s while the stream is captured into a %s graph; make the same call once before the "
          "capture, with arrays on the device",
          c->vendor->name, c->index, c->name, what, c->vendor->title);
    return ARGAND_OK;
}
