/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device, allocated and freed in stream order if the driver has memory pools. */
#include "device/gpu/context.h"

#include <stdint.h>
#include "base/memory.h"

static argand_status allocate(const gpu_context *c, size_t bytes, gpu_address *address)
{
    const size_t asked =
        bytes ? (bytes + 15) / 16 * 16 : 16; /* kernels may load 16 bytes to read the last 8 */
    const gpu_result result =
        c->pools ? c->call->MemAllocAsync(address, asked, c->stream) : c->call->MemAlloc(address, asked);
    size_t free_bytes = 0, total = 0;
    if (result == GPU_OUT_OF_MEMORY && !c->call->MemGetInfo(&free_bytes, &total))
        return gpu_check(c, result, "no memory for %zu bytes (%.1f GB); %.1f of %.1f GB are free", bytes,
                         (double)bytes * 1e-9, (double)free_bytes * 1e-9, (double)total * 1e-9);
    return gpu_check(c, result, "%zu bytes cannot be allocated", bytes);
}

argand_status gpu_alloc(void *context, size_t bytes, void **memory)
{
    gpu_context *c = context;
    gpu_memory *m;
    TRY(NEW(m, 1));
    m->owned = true;
    argand_status status = gpu_enter(c);
    if (status == ARGAND_OK) {
        status = gpu_refuse_captured(c, "no memory can be allocated");
        if (status == ARGAND_OK) status = allocate(c, bytes, &m->address);
        gpu_leave(c, status);
    }
    if (status != ARGAND_OK) {
        memory_free(m);
        return status;
    }
    *memory = m;
    return ARGAND_OK;
}

static void give_back(const gpu_context *c, gpu_memory *m)
{
    if (m->owned && c->pools && !gpu_is_captured(c))
        c->call->MemFreeAsync(m->address, c->stream);
    else if (m->owned)
        c->call->MemFree(m->address); /* waits for work on it */
    memory_free(m);
}

/* Postpones freeing: during a capture it would become part of the graph. */
static void keep_until_later(gpu_context *c, gpu_memory *m)
{
    pthread_mutex_lock(&c->late_lock);
    m->next = c->late;
    c->late = m;
    pthread_mutex_unlock(&c->late_lock);
}

void gpu_free_late(gpu_context *c)
{
    pthread_mutex_lock(&c->late_lock);
    gpu_memory *m = c->late;
    c->late = NULL;
    pthread_mutex_unlock(&c->late_lock);
    while (m) {
        gpu_memory *next = m->next;
        give_back(c, m);
        m = next;
    }
}

void gpu_free(void *context, void *memory)
{
    gpu_context *c = context;
    gpu_memory *m = memory;
    const bool entered = gpu_enter_to_free(c);
    const bool captured = gpu_is_captured(c);
    if (m->owned && captured) {
        keep_until_later(c, m);
    } else {
        give_back(c, m);
        if (!captured) gpu_free_late(c);
    }
    gpu_leave_freed(c, entered);
}

/* Checks a caller's pointer with the driver, which knows all its allocations. Refuses host memory, other
 * devices and short buffers before a kernel uses them. */
static argand_status check_foreign(const gpu_context *c, gpu_address address, size_t bytes)
{
    int ordinal = 0;
    unsigned int type = 0, managed = 0;
    gpu_address start = 0;
    size_t size = 0;
    int attributes[2] = {GPU_POINTER_MEMORY_TYPE, GPU_POINTER_IS_MANAGED};
    if (c->call->PointerGetAttributes(2, attributes, (void *[]){&type, &managed}, address))
        type = managed = 0;
    CHECK(type == c->call->device_memory || managed, ARGAND_ARGUMENT,
          "%s:%d (%s): pointer %#llx is not device memory; create an array and upload to it, or wrap it on "
          "the cpu device",
          c->vendor->name, c->index, c->name, address);
    TRY(gpu_check(c, c->call->PointerGetAttribute(&ordinal, GPU_POINTER_DEVICE, address),
                  "the device of pointer %#llx cannot be found", address));
    CHECK(managed || ordinal == c->index, ARGAND_ARGUMENT,
          "%s:%d (%s): pointer %#llx is memory of %s:%d; open that device for it", c->vendor->name, c->index,
          c->name, address, c->vendor->name, ordinal);
    if (c->call->PointerGetAttribute(&start, GPU_POINTER_RANGE_START, address) ||
        c->call->PointerGetAttribute(&size, GPU_POINTER_RANGE_SIZE, address))
        return ARGAND_OK; /* manually mapped memory has no range */
    CHECK(bytes <= size && address - start <= size - bytes, ARGAND_ARGUMENT,
          "%s:%d (%s): %zu bytes from pointer %#llx on, but the buffer ends after %llu", c->vendor->name,
          c->index, c->name, bytes, address, size - (address - start));
    return ARGAND_OK;
}

argand_status gpu_wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    gpu_context *c = context;
    const gpu_address address = (gpu_address)(uintptr_t)pointer;
    gpu_memory *m;
    TRY(gpu_enter(c));
    TRY(gpu_leave(c, check_foreign(c, address, bytes)));
    TRY(NEW(m, 1));
    m->address = address;
    *memory = m;
    return ARGAND_OK;
}

void *gpu_native(void *context, void *memory)
{
    (void)context;
    return (void *)(uintptr_t)((gpu_memory *)memory)->address;
}

argand_status gpu_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    gpu_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(gpu_enter(c));
    return gpu_leave(
        c, gpu_check(c,
                     c->call->MemcpyDtoDAsync(((gpu_memory *)to)->address + to_at,
                                              ((gpu_memory *)from)->address + from_at, bytes, c->stream),
                     "copying %zu bytes", bytes));
}

argand_status gpu_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    gpu_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(gpu_enter(c));
    return gpu_leave(
        c, gpu_check(c, c->call->MemsetD8Async(((gpu_memory *)memory)->address + at, value, bytes, c->stream),
                     "filling %zu bytes", bytes));
}
