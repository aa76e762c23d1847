/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between host and device through a ring of the driver's buffers (pinned, on GPUs). An upload
 * does not wait for earlier work. */
#include "device/opencl/context.h"

static bool make_stage(void *context, stage *s)
{
    const opencl_context *c = context;
    cl_int error = 0;
    if (!s->memory)
        s->memory = cl.CreateBuffer(c->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, c->stages.bytes,
                                    NULL, &error);
    if (s->memory)
        s->host = cl.EnqueueMapBuffer(c->queue, s->memory, 1, CL_MAP_READ_WRITE, 0, c->stages.bytes, 0, NULL,
                                      NULL, &error);
    return s->host != NULL;
}

static void drop_stage(void *context, stage *s)
{
    const opencl_context *c = context;
    if (s->done) cl.ReleaseEvent(s->done);
    if (s->host) cl.EnqueueUnmapMemObject(c->queue, s->memory, s->host, 0, NULL, NULL);
    if (s->memory) cl.ReleaseMemObject(s->memory);
}

static int settle(void *context, stage *s)
{
    const cl_event done = s->done;
    (void)context;
    if (!done) return 0;
    const cl_int error = cl.WaitForEvents(1, &done);
    cl.ReleaseEvent(done);
    s->done = NULL;
    return error;
}

static int send(void *context, stage *s, void *memory, size_t at, size_t bytes)
{
    const opencl_context *c = context;
    cl_event done = NULL;
    const cl_int error = cl.EnqueueWriteBuffer(c->queue, ((opencl_memory *)memory)->memory, 0, at, bytes,
                                               s->host, 0, NULL, &done);
    s->done = done;
    return error;
}

static int receive(void *context, stage *s, void *memory, size_t at, size_t bytes)
{
    const opencl_context *c = context;
    cl_event done = NULL;
    cl_int error = settle(context, s);
    if (!error)
        error = cl.EnqueueReadBuffer(c->queue, ((opencl_memory *)memory)->memory, 0, at, bytes, s->host, 0,
                                     NULL, &done);
    s->done = done;
    return error;
}

const stage_calls opencl_stage_calls = {
    .make = make_stage, .drop = drop_stage, .settle = settle, .send = send, .receive = receive};

argand_status opencl_upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    opencl_context *c = context;
    int error;
    if (!bytes) return ARGAND_OK;
    const size_t sent = stages_upload(&c->stages, memory, at, host, bytes, &error);
    if (!error && sent < bytes)
        error = cl.EnqueueWriteBuffer(c->queue, ((opencl_memory *)memory)->memory, 1, at + sent, bytes - sent,
                                      (const char *)host + sent, 0, NULL, NULL);
    else if (!error)
        error = cl.Flush(c->queue);
    return opencl_check(c, error, "uploading %zu bytes", bytes);
}

argand_status opencl_download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    opencl_context *c = context;
    int error = 0;
    if (!bytes) return ARGAND_OK;
    if (bytes <= c->stages.bytes || !stages_download(&c->stages, host, memory, at, bytes, &error))
        error = cl.EnqueueReadBuffer(c->queue, ((opencl_memory *)memory)->memory, 1, at, bytes, host, 0, NULL,
                                     NULL);
    return opencl_check(c, error, "downloading %zu bytes", bytes);
}
