/* SPDX-License-Identifier: BSD-3-Clause */
/* Manages the stream of a device: its own, the caller's, a later change, a capture. */
#include "device/gpu/context.h"

static void take(gpu_context *c, gpu_stream stream)
{
    pthread_mutex_lock(&c->stream_lock);
    if (c->own_stream) c->call->StreamDestroy(c->stream); /* takes effect when its work has ended */
    c->own_stream = false;
    c->stream = stream;
    pthread_mutex_unlock(&c->stream_lock);
}

argand_status gpu_use_stream(void *context, void *stream)
{
    gpu_context *c = context;
    TRY(gpu_enter(c));
    const argand_status status = c->vendor->check_stream(c, stream);
    if (status == ARGAND_OK) take(c, stream);
    return gpu_leave(c, status);
}

/* Waits on the host for work outside of a graph: a graph cannot wait for it. */
static argand_status wait_outside(const gpu_context *c)
{
    return gpu_check(c, c->call->StreamSynchronize(c->stream), "earlier work failed");
}

static argand_status wait_by_event(gpu_context *c, gpu_stream stream)
{
    if (!c->before)
        TRY(gpu_check(c, c->call->EventCreate(&c->before, GPU_EVENT_WITHOUT_TIME), "no event can be made"));
    TRY(gpu_check(c, c->call->EventRecord(c->before, c->stream), "the end of earlier work cannot be marked"));
    return gpu_check(c, c->call->StreamWaitEvent(stream, c->before, 0),
                     "the stream cannot wait for earlier work");
}

static argand_status follow(gpu_context *c, gpu_stream stream)
{
    TRY(c->vendor->check_stream(c, stream));
    CHECK(!gpu_is_captured(c), ARGAND_UNSUPPORTED,
          "%s:%d (%s): work is given in another stream while the device's own is captured into a %s graph, "
          "or a stream that it waits for; give the device the captured stream before the capture begins",
          c->vendor->name, c->index, c->name, c->vendor->title);
    TRY(gpu_captures(c, stream) ? wait_outside(c) : wait_by_event(c, stream));
    take(c, stream);
    return ARGAND_OK;
}

argand_status gpu_follow_stream(void *context, void *stream)
{
    gpu_context *c = context;
    if (stream == c->stream) return ARGAND_OK;
    TRY(gpu_enter(c));
    return gpu_leave(c, follow(c, stream));
}

bool gpu_stream_is_captured(void *context)
{
    gpu_context *c = context;
    if (gpu_enter(c) != ARGAND_OK) return true;
    pthread_mutex_lock(&c->stream_lock);
    const bool captured = gpu_is_captured(c);
    pthread_mutex_unlock(&c->stream_lock);
    gpu_leave(c, ARGAND_OK);
    return captured;
}
