/* SPDX-License-Identifier: BSD-3-Clause */
/* Manages the stream of a CUDA device: its own, the caller's, a later change, a capture. */
#include "device/cuda/context.h"

enum { CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906 };

/* Returns true if the stream is captured. The legacy stream reports an error while another stream that
 * waits for it is captured; nothing may be done then either. Other errors belong to earlier work, and the
 * next call reports them. */
static bool captures(CUstream stream)
{
    int capturing = 0;
    const CUresult result = cu.StreamIsCapturing ? cu.StreamIsCapturing(stream, &capturing) : 0;
    return result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT || (!result && capturing);
}

bool cuda_is_captured(const cuda_context *c)
{
    return captures(c->stream);
}

argand_status cuda_refuse_captured(const cuda_context *c, const char *what)
{
    CHECK(
        !cuda_is_captured(c), ARGAND_UNSUPPORTED,
        "cuda:%d (%s): %s while the stream is captured into a CUDA graph; make the same call once before the "
        "capture, with arrays on the device",
        c->index, c->name, what);
    return ARGAND_OK;
}

static argand_status check_owner(const cuda_context *c, CUstream stream)
{
    CUcontext owner = c->context;
    TRY(cuda_check(c, stream ? cu.StreamGetCtx(stream, &owner) : 0, "the stream that was given is not one"));
    CHECK(
        owner == c->context, ARGAND_ARGUMENT,
        "cuda:%d (%s): the stream belongs to another context; give one of the device's primary context (the "
        "CUDA runtime's streams are)",
        c->index, c->name);
    return ARGAND_OK;
}

static void take(cuda_context *c, CUstream stream)
{
    if (c->own_stream) cu.StreamDestroy(c->stream); /* takes effect when its work has ended */
    c->own_stream = false;
    c->stream = stream;
}

argand_status cuda_use_stream(void *context, void *stream)
{
    cuda_context *c = context;
    TRY(cuda_enter(c));
    const argand_status status = check_owner(c, stream);
    if (status == ARGAND_OK) take(c, stream);
    return cuda_leave(status);
}

/* Waits on the host for work outside of a graph: a graph cannot wait for it. */
static argand_status wait_outside(const cuda_context *c)
{
    return cuda_check(c, cu.StreamSynchronize(c->stream), "earlier work failed");
}

static argand_status wait_by_event(cuda_context *c, CUstream stream)
{
    if (!c->before)
        TRY(cuda_check(c, cu.EventCreate(&c->before, CU_EVENT_DISABLE_TIMING), "no event can be made"));
    TRY(cuda_check(c, cu.EventRecord(c->before, c->stream), "the end of earlier work cannot be marked"));
    return cuda_check(c, cu.StreamWaitEvent(stream, c->before, 0), "the stream cannot wait for earlier work");
}

static argand_status follow(cuda_context *c, CUstream stream)
{
    TRY(check_owner(c, stream));
    CHECK(
        !cuda_is_captured(c), ARGAND_UNSUPPORTED,
        "cuda:%d (%s): work is given in another stream while the device's own is captured into a CUDA graph, "
        "or a stream that it waits for; give the device the captured stream before the capture begins",
        c->index, c->name);
    TRY(captures(stream) ? wait_outside(c) : wait_by_event(c, stream));
    take(c, stream);
    return ARGAND_OK;
}

argand_status cuda_follow_stream(void *context, void *stream)
{
    cuda_context *c = context;
    if (stream == c->stream) return ARGAND_OK;
    TRY(cuda_enter(c));
    return cuda_leave(follow(c, stream));
}
