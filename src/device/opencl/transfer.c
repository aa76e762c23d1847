/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between host and device in pieces through a ring of buffers. An upload returns when its last
 * piece is copied to a buffer; it does not wait for earlier work. Copies on the host and transfers
 * overlap. */
#include "device/opencl/context.h"

#include <string.h>

void opencl_stages_free(opencl_context *c)
{
    for (int i = 0; i < STAGES; i++) {
        opencl_stage *stage = &c->stages[i];
        if (stage->done) cl.ReleaseEvent(stage->done);
        if (stage->host) cl.EnqueueUnmapMemObject(c->queue, stage->memory, stage->host, 0, NULL, NULL);
        if (stage->memory) cl.ReleaseMemObject(stage->memory);
        *stage = (opencl_stage){0};
    }
}

/* Returns the next buffer of the ring. NULL if it cannot be had: the driver then transfers the rest in one
 * blocking call. */
static opencl_stage *take_stage(opencl_context *c)
{
    opencl_stage *stage = &c->stages[c->next_stage];
    cl_int error = 0;
    c->next_stage = (c->next_stage + 1) % STAGES;
    if (!stage->memory)
        stage->memory =
            cl.CreateBuffer(c->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, STAGE_BYTES, NULL, &error);
    if (stage->memory && !stage->host)
        stage->host = cl.EnqueueMapBuffer(c->queue, stage->memory, 1, CL_MAP_READ_WRITE, 0, STAGE_BYTES, 0,
                                          NULL, NULL, &error);
    return stage->host ? stage : NULL;
}

static cl_int settle(opencl_stage *stage)
{
    if (!stage->done) return 0;
    const cl_int error = cl.WaitForEvents(1, &stage->done);
    cl.ReleaseEvent(stage->done);
    stage->done = NULL;
    return error;
}

static size_t piece(size_t bytes, size_t done)
{
    return bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
}

static cl_int upload(opencl_context *c, cl_mem to, size_t at, const char *host, size_t bytes)
{
    cl_int error = 0;
    for (size_t done = 0; done < bytes && !error; done += piece(bytes, done)) {
        opencl_stage *stage = take_stage(c);
        if (!stage)
            return cl.EnqueueWriteBuffer(c->queue, to, 1, at + done, bytes - done, host + done, 0, NULL,
                                         NULL);
        error = settle(stage);
        if (error) break;
        memcpy(stage->host, host + done, piece(bytes, done));
        error = cl.EnqueueWriteBuffer(c->queue, to, 0, at + done, piece(bytes, done), stage->host, 0, NULL,
                                      &stage->done);
    }
    return error ? error : cl.Flush(c->queue);
}

argand_status opencl_upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    opencl_context *c = context;
    if (!bytes) return ARGAND_OK;
    pthread_mutex_lock(&c->stage_lock);
    const cl_int error = upload(c, ((opencl_memory *)memory)->memory, at, host, bytes);
    pthread_mutex_unlock(&c->stage_lock);
    return opencl_check(c, error, "uploading %zu bytes", bytes);
}

/* Downloads through the ring: later pieces are transferred while the host copies earlier ones. */
static cl_int download_staged(opencl_context *c, char *host, cl_mem from, size_t at, size_t bytes)
{
    opencl_stage *asked[STAGES];
    const size_t pieces = (bytes + STAGE_BYTES - 1) / STAGE_BYTES;
    cl_int error = 0;
    for (size_t i = 0; i < pieces + STAGES - 1 && !error; i++) {
        if (i >= STAGES - 1) {
            const size_t old = i - (STAGES - 1);
            opencl_stage *stage = asked[old % STAGES];
            error = settle(stage);
            if (!error) memcpy(host + old * STAGE_BYTES, stage->host, piece(bytes, old * STAGE_BYTES));
        }
        if (i >= pieces || error) continue;
        opencl_stage *stage = asked[i % STAGES] = take_stage(c);
        error = settle(stage);
        if (!error)
            error = cl.EnqueueReadBuffer(c->queue, from, 0, at + i * STAGE_BYTES,
                                         piece(bytes, i * STAGE_BYTES), stage->host, 0, NULL, &stage->done);
    }
    return error;
}

static bool all_stages(opencl_context *c)
{
    for (int i = 0; i < STAGES; i++)
        if (!take_stage(c)) return false;
    return true;
}

argand_status opencl_download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    opencl_context *c = context;
    const cl_mem from = ((opencl_memory *)memory)->memory;
    cl_int error = 0;
    bool staged = false;
    if (!bytes) return ARGAND_OK;
    if (bytes > STAGE_BYTES) {
        pthread_mutex_lock(&c->stage_lock);
        staged = all_stages(c);
        if (staged) error = download_staged(c, host, from, at, bytes);
        pthread_mutex_unlock(&c->stage_lock);
    }
    if (!staged) error = cl.EnqueueReadBuffer(c->queue, from, 1, at, bytes, host, 0, NULL, NULL);
    return opencl_check(c, error, "downloading %zu bytes", bytes);
}
