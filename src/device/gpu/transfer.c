/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between host and device. Large transfers of pageable memory go in pieces through the ring of
 * pinned buffers. Small transfers are left to the driver, which has its own buffers. Memory that the driver
 * knows is transferred directly. */
#include "device/gpu/context.h"

#include <stdint.h>

enum { SMALL_BYTES = 64 << 10 };

/* Returns true for pinned, managed or device memory, which DMA accesses directly. PointerGetAttributes is
 * used because it reports plain memory as 0; PointerGetAttribute reports an error. */
static bool is_known(const gpu_context *c, const void *host)
{
    unsigned int type = 0;
    int attribute = GPU_POINTER_MEMORY_TYPE;
    return !c->call->PointerGetAttributes(1, &attribute, (void *[]){&type}, (gpu_address)(uintptr_t)host) &&
           type;
}

static bool make_stage(void *context, stage *s)
{
    const gpu_context *c = context;
    const stage_ring *ring = &c->stages;
    void *host = NULL;
    gpu_event done;
    if (c->call->MemHostAlloc(&host, ring->bytes, 0)) return false;
    if (c->call->EventCreate(&done, GPU_EVENT_WITHOUT_TIME)) {
        c->call->MemFreeHost(host);
        return false;
    }
    s->done = done;
    s->host = host;
    return true;
}

static void drop_stage(void *context, stage *s)
{
    const gpu_context *c = context;
    if (s->done) c->call->EventDestroy(s->done);
    if (s->host) c->call->MemFreeHost(s->host);
}

static int settle(void *context, stage *s)
{
    return ((const gpu_context *)context)->call->EventSynchronize(s->done);
}

static int send(void *context, stage *s, void *memory, size_t at, size_t bytes)
{
    const gpu_context *c = context;
    const gpu_result result =
        c->call->MemcpyHtoDAsync(((gpu_memory *)memory)->address + at, s->host, bytes, c->stream);
    return result ? result : c->call->EventRecord(s->done, c->stream);
}

static int receive(void *context, stage *s, void *memory, size_t at, size_t bytes)
{
    const gpu_context *c = context;
    const gpu_result result =
        c->call->MemcpyDtoHAsync(s->host, ((gpu_memory *)memory)->address + at, bytes, c->stream);
    return result ? result : c->call->EventRecord(s->done, c->stream);
}

const stage_calls gpu_stage_calls = {
    .make = make_stage, .drop = drop_stage, .settle = settle, .send = send, .receive = receive};

static gpu_result upload_known(const gpu_context *c, gpu_address to, const void *host, size_t bytes)
{
    const gpu_result result = c->vendor->copy_known(to, (gpu_address)(uintptr_t)host, bytes, c->stream);
    return result ? result : c->call->StreamSynchronize(c->stream);
}

static gpu_result upload(gpu_context *c, gpu_memory *m, size_t at, const char *host, size_t bytes)
{
    int result = 0;
    size_t sent = 0;
    if (is_known(c, host)) return upload_known(c, m->address + at, host, bytes);
    if (bytes > SMALL_BYTES) sent = stages_upload(&c->stages, m, at, host, bytes, &result);
    if (result || sent == bytes) return result;
    return c->call->MemcpyHtoDAsync(m->address + at + sent, host + sent, bytes - sent, c->stream);
}

argand_status gpu_upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    gpu_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(gpu_enter(c));
    argand_status status = gpu_refuse_captured(c, "nothing can be uploaded");
    if (status == ARGAND_OK)
        status = gpu_check(c, upload(c, memory, at, host, bytes), "uploading %zu bytes", bytes);
    return gpu_leave(c, status);
}

static gpu_result download(gpu_context *c, void *host, gpu_memory *m, size_t at, size_t bytes)
{
    const bool known = is_known(c, host);
    int result = 0;
    if (!known && bytes > SMALL_BYTES && stages_download(&c->stages, host, m, at, bytes, &result))
        return result;
    result = known ? c->vendor->copy_known((gpu_address)(uintptr_t)host, m->address + at, bytes, c->stream)
                   : c->call->MemcpyDtoHAsync(host, m->address + at, bytes, c->stream);
    return result ? result : c->call->StreamSynchronize(c->stream);
}

argand_status gpu_download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    gpu_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(gpu_enter(c));
    argand_status status = gpu_refuse_captured(c, "nothing can be downloaded");
    if (status == ARGAND_OK)
        status = gpu_check(c, download(c, host, memory, at, bytes), "downloading %zu bytes", bytes);
    return gpu_leave(c, status);
}
