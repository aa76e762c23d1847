/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between host and device. Large transfers of pageable memory go in pieces through a ring of
 * pinned buffers. Copies on the host and DMA then overlap, and an upload need not wait for the device.
 * Small transfers are left to the driver, which has its own buffers. Memory that the driver knows is
 * transferred directly. */
#include "device/cuda/context.h"

#include <stdint.h>
#include <string.h>
#include "base/memory.h"

enum { SMALL_BYTES = 64 << 10 };

/* Returns true for pinned, managed or device memory, which DMA accesses directly. cuPointerGetAttributes
 * is used because it reports plain memory as 0; cuPointerGetAttribute reports an error. */
static bool is_known(const void *host)
{
    unsigned int type = 0;
    int attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    return !cu.PointerGetAttributes(1, &attribute, (void *[]){&type}, (CUdeviceptr)(uintptr_t)host) && type;
}

void cuda_stages_free(cuda_context *c)
{
    for (int i = 0; i < STAGES; i++) {
        if (c->stages[i].done) cu.EventDestroy(c->stages[i].done);
        if (c->stages[i].host) cu.MemFreeHost(c->stages[i].host);
        c->stages[i] = (cuda_stage){0};
    }
    c->stages_made = 0;
}

/* Allocates pinned buffers for a transfer, at most one per piece, because each takes milliseconds. Returns
 * false if there are none: the driver's slower transfer then serves. */
static bool make_stages(cuda_context *c, size_t bytes)
{
    const size_t pieces = (bytes + STAGE_BYTES - 1) / STAGE_BYTES;
    for (; c->stages_made < STAGES && (size_t)c->stages_made < pieces; c->stages_made++) {
        cuda_stage *stage = &c->stages[c->stages_made];
        void *host = NULL;
        if (cu.MemHostAlloc(&host, STAGE_BYTES, 0)) return false;
        if (cu.EventCreate(&stage->done, CU_EVENT_DISABLE_TIMING)) {
            stage->done = NULL;
            cu.MemFreeHost(host);
            return false;
        }
        stage->host = host;
    }
    return true;
}

static size_t piece(size_t bytes, size_t done)
{
    return bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
}

static argand_status upload_staged(cuda_context *c, CUdeviceptr to, const char *host, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += piece(bytes, done)) {
        cuda_stage *stage = &c->stages[c->next_stage];
        c->next_stage = (c->next_stage + 1) % c->stages_made;
        TRY(cuda_check(c, cu.EventSynchronize(stage->done), "waiting for an upload"));
        memcpy(stage->host, host + done, piece(bytes, done));
        TRY(cuda_check(c, cu.MemcpyHtoDAsync(to + done, stage->host, piece(bytes, done), c->stream),
                       "uploading %zu bytes", bytes));
        TRY(cuda_check(c, cu.EventRecord(stage->done, c->stream), "uploading %zu bytes", bytes));
    }
    return ARGAND_OK;
}

static argand_status upload_known(cuda_context *c, CUdeviceptr to, const void *host, size_t bytes)
{
    TRY(cuda_check(c, cu.MemcpyAsync(to, (CUdeviceptr)(uintptr_t)host, bytes, c->stream),
                   "uploading %zu bytes", bytes));
    return cuda_check(c, cu.StreamSynchronize(c->stream), "uploading %zu bytes", bytes);
}

static argand_status upload(cuda_context *c, CUdeviceptr to, const void *host, size_t bytes)
{
    if (is_known(host)) return upload_known(c, to, host, bytes);
    if (bytes > SMALL_BYTES) {
        pthread_mutex_lock(&c->stage_lock);
        const bool staged = make_stages(c, bytes);
        const argand_status status = staged ? upload_staged(c, to, host, bytes) : ARGAND_OK;
        pthread_mutex_unlock(&c->stage_lock);
        if (staged) return status;
    }
    return cuda_check(c, cu.MemcpyHtoDAsync(to, host, bytes, c->stream), "uploading %zu bytes", bytes);
}

argand_status cuda_upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    cuda_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(cuda_enter(c));
    argand_status status = cuda_refuse_captured(c, "nothing can be uploaded");
    if (status == ARGAND_OK) status = upload(c, ((cuda_memory *)memory)->address + at, host, bytes);
    return cuda_leave(status);
}

/* Downloads through the ring; the device writes up to STAGES pieces ahead of the host. */
static argand_status download_staged(cuda_context *c, char *host, CUdeviceptr from, size_t bytes)
{
    const size_t pieces = (bytes + STAGE_BYTES - 1) / STAGE_BYTES;
    for (size_t i = 0; i < pieces + STAGES - 1; i++) {
        if (i >= STAGES - 1) { /* the oldest pending piece */
            const size_t old = i - (STAGES - 1), at = old * STAGE_BYTES;
            const cuda_stage *stage = &c->stages[old % STAGES];
            TRY(cuda_check(c, cu.EventSynchronize(stage->done), "downloading %zu bytes", bytes));
            memcpy(host + at, stage->host, piece(bytes, at));
        }
        if (i >= pieces) continue;
        const size_t at = i * STAGE_BYTES;
        const cuda_stage *stage = &c->stages[i % STAGES];
        TRY(cuda_check(c, cu.MemcpyDtoHAsync(stage->host, from + at, piece(bytes, at), c->stream),
                       "downloading %zu bytes", bytes));
        TRY(cuda_check(c, cu.EventRecord(stage->done, c->stream), "downloading %zu bytes", bytes));
    }
    return ARGAND_OK;
}

static argand_status download(cuda_context *c, void *host, CUdeviceptr from, size_t bytes)
{
    const bool known = is_known(host);
    if (!known && bytes > SMALL_BYTES) {
        pthread_mutex_lock(&c->stage_lock);
        const bool staged = make_stages(c, bytes);
        const argand_status status = staged ? download_staged(c, host, from, bytes) : ARGAND_OK;
        pthread_mutex_unlock(&c->stage_lock);
        if (staged) return status;
    }
    TRY(cuda_check(c,
                   known ? cu.MemcpyAsync((CUdeviceptr)(uintptr_t)host, from, bytes, c->stream)
                         : cu.MemcpyDtoHAsync(host, from, bytes, c->stream),
                   "downloading %zu bytes", bytes));
    return cuda_check(c, cu.StreamSynchronize(c->stream), "downloading %zu bytes", bytes);
}

argand_status cuda_download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    cuda_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(cuda_enter(c));
    argand_status status = cuda_refuse_captured(c, "nothing can be downloaded");
    if (status == ARGAND_OK) status = download(c, host, ((cuda_memory *)memory)->address + at, bytes);
    return cuda_leave(status);
}
