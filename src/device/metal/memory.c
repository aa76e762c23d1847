/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a Metal device: buffers that the host can access too (MTLResourceStorageModeShared). Transfers
 * are copies by the host after earlier work has ended. */
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "device/metal/context.h"

/* Takes over a retained buffer. */
static argand_status adopt(objc_id buffer, size_t at, void **memory)
{
    metal_memory *m;
    const argand_status status = NEW(m, 1);
    if (status != ARGAND_OK) {
        SEND(release, buffer);
        return status;
    }
    *m = (metal_memory){.buffer = buffer, .address = (char *)SEND(contents, buffer) + at, .at = at};
    *memory = m;
    return ARGAND_OK;
}

argand_status metal_alloc(void *context, size_t bytes, void **memory)
{
    metal_context *c = context;
    void *pool = objc.pool_push();
    objc_id buffer = SEND(new_buffer, c->device, bytes ? bytes : 1, MTLResourceStorageModeShared);
    const double most = (double)SEND(longest_buffer, c->device);
    objc.pool_pop(pool);
    CHECK(buffer, ARGAND_MEMORY,
          "metal:%d (%s): no memory for %zu bytes (%.1f GB); its largest buffer has %.1f GB", c->index,
          c->name, bytes, (double)bytes * 1e-9, most * 1e-9);
    return adopt(buffer, 0, memory);
}

/* Frees a buffer. Command buffers keep alive what their commands use. */
void metal_free(void *context, void *memory)
{
    (void)context;
    metal_memory *m = memory;
    void *pool = objc.pool_push();
    SEND(release, m->buffer);
    objc.pool_pop(pool);
    memory_free(m);
}

/* Wraps the whole pages around the caller's memory, because Metal takes nothing else. */
argand_status metal_wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    metal_context *c = context;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)pointer % page;
    const size_t length = (at + (bytes ? bytes : 1) + page - 1) / page * page;
    CHECK((uintptr_t)pointer % sizeof(float) == 0, ARGAND_ARGUMENT,
          "metal:%d (%s): memory to wrap must be aligned to 4 bytes", c->index, c->name);
    void *pool = objc.pool_push();
    objc_id buffer =
        SEND(wrap_buffer, c->device, (char *)pointer - at, length, MTLResourceStorageModeShared, NULL);
    objc.pool_pop(pool);
    CHECK(buffer, ARGAND_MEMORY, "metal:%d (%s): %zu bytes of the host's memory cannot be wrapped", c->index,
          c->name, bytes);
    return adopt(buffer, at, memory);
}

static argand_status settle(metal_context *c)
{
    void *pool = objc.pool_push();
    pthread_mutex_lock(&c->lock);
    const argand_status status = metal_settle(c);
    pthread_mutex_unlock(&c->lock);
    objc.pool_pop(pool);
    return status;
}

argand_status metal_upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    if (!bytes) return ARGAND_OK;
    TRY(settle(context));
    memcpy(((metal_memory *)memory)->address + at, host, bytes);
    return ARGAND_OK;
}

argand_status metal_download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    if (!bytes) return ARGAND_OK;
    TRY(settle(context));
    memcpy(host, ((metal_memory *)memory)->address + at, bytes);
    return ARGAND_OK;
}

/* Metal's commands for copies and fills want multiples of 4 bytes; the host does others. */
static bool is_whole(size_t a, size_t b, size_t bytes)
{
    return (a | b | bytes) % 4 == 0;
}

static argand_status encode_copy(metal_context *c, const metal_memory *to, size_t to_at,
                                 const metal_memory *from, size_t from_at, size_t bytes)
{
    objc_id encoder;
    TRY(metal_blit(c, &encoder));
    SEND(copy, encoder, from->buffer, from->at + from_at, to->buffer, to->at + to_at, bytes);
    return ARGAND_OK;
}

static argand_status encode_fill(metal_context *c, const metal_memory *m, size_t at, size_t bytes,
                                 unsigned char value)
{
    objc_id encoder;
    TRY(metal_blit(c, &encoder));
    SEND(fill, encoder, m->buffer, (metal_range){m->at + at, bytes}, value);
    return ARGAND_OK;
}

argand_status metal_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    metal_context *c = context;
    const metal_memory *y = to, *x = from;
    if (!bytes) return ARGAND_OK;
    void *pool = objc.pool_push();
    pthread_mutex_lock(&c->lock);
    const bool whole = is_whole(x->at + from_at, y->at + to_at, bytes);
    const argand_status status = whole ? encode_copy(c, y, to_at, x, from_at, bytes) : metal_settle(c);
    if (status == ARGAND_OK && !whole) memmove(y->address + to_at, x->address + from_at, bytes);
    pthread_mutex_unlock(&c->lock);
    objc.pool_pop(pool);
    return status;
}

argand_status metal_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    metal_context *c = context;
    const metal_memory *m = memory;
    if (!bytes) return ARGAND_OK;
    void *pool = objc.pool_push();
    pthread_mutex_lock(&c->lock);
    const bool whole = is_whole(m->at + at, 0, bytes);
    const argand_status status = whole ? encode_fill(c, m, at, bytes, value) : metal_settle(c);
    if (status == ARGAND_OK && !whole) memset(m->address + at, value, bytes);
    pthread_mutex_unlock(&c->lock);
    objc.pool_pop(pool);
    return status;
}
