/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a CUDA device, allocated and freed in stream order if the driver has memory pools. */
#include "device/cuda/context.h"

#include <stdint.h>
#include "base/memory.h"

static argand_status allocate(const cuda_context *c, size_t bytes, CUdeviceptr *address)
{
    const size_t asked =
        bytes ? (bytes + 15) / 16 * 16 : 16; /* kernels may load 16 bytes to read the last 8 */
    const CUresult result =
        c->pools ? cu.MemAllocAsync(address, asked, c->stream) : cu.MemAlloc(address, asked);
    size_t free_bytes = 0, total = 0;
    if (result == CUDA_ERROR_OUT_OF_MEMORY && !cu.MemGetInfo(&free_bytes, &total))
        return cuda_check(c, result, "no memory for %zu bytes (%.1f GB); %.1f of %.1f GB are free", bytes,
                          (double)bytes * 1e-9, (double)free_bytes * 1e-9, (double)total * 1e-9);
    return cuda_check(c, result, "%zu bytes cannot be allocated", bytes);
}

argand_status cuda_alloc(void *context, size_t bytes, void **memory)
{
    cuda_context *c = context;
    cuda_memory *m;
    TRY(NEW(m, 1));
    m->owned = true;
    argand_status status = cuda_enter(c);
    if (status == ARGAND_OK) {
        status = cuda_refuse_captured(c, "no memory can be allocated");
        if (status == ARGAND_OK) status = allocate(c, bytes, &m->address);
        cuda_leave(status);
    }
    if (status != ARGAND_OK) {
        memory_free(m);
        return status;
    }
    *memory = m;
    return ARGAND_OK;
}

static void give_back(const cuda_context *c, cuda_memory *m)
{
    if (m->owned && c->pools && !cuda_is_captured(c))
        cu.MemFreeAsync(m->address, c->stream);
    else if (m->owned)
        cu.MemFree(m->address); /* waits for work on it */
    memory_free(m);
}

/* Postpones freeing: during a capture it would become part of the graph. */
static void keep_until_later(cuda_context *c, cuda_memory *m)
{
    pthread_mutex_lock(&c->stage_lock);
    m->next = c->late;
    c->late = m;
    pthread_mutex_unlock(&c->stage_lock);
}

void cuda_free_late(cuda_context *c)
{
    pthread_mutex_lock(&c->stage_lock);
    cuda_memory *m = c->late;
    c->late = NULL;
    pthread_mutex_unlock(&c->stage_lock);
    while (m) {
        cuda_memory *next = m->next;
        give_back(c, m);
        m = next;
    }
}

void cuda_free(void *context, void *memory)
{
    cuda_context *c = context;
    cuda_memory *m = memory;
    const bool entered = cuda_enter_to_free(c);
    const bool captured = cuda_is_captured(c);
    if (m->owned && captured) {
        keep_until_later(c, m);
    } else {
        give_back(c, m);
        if (!captured) cuda_free_late(c);
    }
    cuda_leave_freed(entered);
}

/* Checks a caller's pointer with the driver, which knows all its allocations. Refuses host memory, other
 * devices and short buffers before a kernel uses them. */
static argand_status check_foreign(const cuda_context *c, CUdeviceptr address, size_t bytes)
{
    int ordinal = 0;
    unsigned int type = 0, managed = 0;
    CUdeviceptr start = 0;
    size_t size = 0;
    int attributes[2] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    if (cu.PointerGetAttributes(2, attributes, (void *[]){&type, &managed}, address)) type = managed = 0;
    CHECK(type == CU_MEMORYTYPE_DEVICE || managed, ARGAND_ARGUMENT,
          "cuda:%d (%s): pointer %#llx is not device memory; create an array and upload to it, or wrap it on "
          "the "
          "cpu device",
          c->index, c->name, address);
    TRY(cuda_check(c, cu.PointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address),
                   "the device of pointer %#llx cannot be found", address));
    CHECK(managed || ordinal == c->index, ARGAND_ARGUMENT,
          "cuda:%d (%s): pointer %#llx is memory of cuda:%d; open that device for it", c->index, c->name,
          address, ordinal);
    if (cu.PointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) ||
        cu.PointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address))
        return ARGAND_OK; /* manually mapped memory has no range */
    CHECK(bytes <= size && address - start <= size - bytes, ARGAND_ARGUMENT,
          "cuda:%d (%s): %zu bytes from pointer %#llx on, but the buffer ends after %llu", c->index, c->name,
          bytes, address, size - (address - start));
    return ARGAND_OK;
}

argand_status cuda_wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    cuda_context *c = context;
    const CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer;
    cuda_memory *m;
    TRY(cuda_enter(c));
    TRY(cuda_leave(check_foreign(c, address, bytes)));
    TRY(NEW(m, 1));
    m->address = address;
    *memory = m;
    return ARGAND_OK;
}

argand_status cuda_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    cuda_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(cuda_enter(c));
    return cuda_leave(
        cuda_check(c,
                   cu.MemcpyDtoDAsync(((cuda_memory *)to)->address + to_at,
                                      ((cuda_memory *)from)->address + from_at, bytes, c->stream),
                   "copying %zu bytes", bytes));
}

argand_status cuda_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    cuda_context *c = context;
    if (!bytes) return ARGAND_OK;
    TRY(cuda_enter(c));
    return cuda_leave(
        cuda_check(c, cu.MemsetD8Async(((cuda_memory *)memory)->address + at, value, bytes, c->stream),
                   "filling %zu bytes", bytes));
}
