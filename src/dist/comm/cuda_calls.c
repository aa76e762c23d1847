/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the CUDA driver for exchanges, and copies blocks whose pieces have gaps. */
#include "dist/comm/cuda_calls.h"

#include "device/libraries/foreign.h"

cuda_calls cuda_copies;

static const foreign_function functions[] = {
    {"cuMemcpy2DAsync_v2", offsetof(cuda_calls, rows), true},
    {"cuMemcpyDtoDAsync_v2", offsetof(cuda_calls, piece), true},
    {"cuStreamCreate", offsetof(cuda_calls, stream_create), true},
    {"cuStreamDestroy_v2", offsetof(cuda_calls, stream_destroy), true},
    {"cuEventCreate", offsetof(cuda_calls, event_create), true},
    {"cuEventDestroy_v2", offsetof(cuda_calls, event_destroy), true},
    {"cuEventRecord", offsetof(cuda_calls, event_record), true},
    {"cuStreamWaitEvent", offsetof(cuda_calls, event_wait), true},
    {"cuCtxGetDevice", offsetof(cuda_calls, device), false},
    {"cuDeviceGetMemPool", offsetof(cuda_calls, pool), false},
    {"cuMemPoolSetAccess", offsetof(cuda_calls, pool_access), false},
    {NULL, 0, false}};

bool cuda_calls_open(char *why, size_t size)
{
    return foreign_open((const char *const[]){"libcuda.so.1", NULL}, FOREIGN_DRIVER, functions, &cuda_copies,
                        why, size);
}

static argand_status check_copy(int result)
{
    CHECK(!result, ARGAND_DEVICE, "pieces cannot be copied on the device: CUDA error %d", result);
    return ARGAND_OK;
}

argand_status cuda_check_event(int result)
{
    CHECK(!result, ARGAND_DEVICE, "a stream or an event cannot be used: CUDA error %d", result);
    return ARGAND_OK;
}

static cuda_copy_end end_of(const comm_block *b, size_t length)
{
    enum { DEVICE_MEMORY = 2 };
    return (cuda_copy_end){.kind = DEVICE_MEMORY,
                           .device = (uintptr_t)b->memory,
                           .pitch = comm_is_whole(b) ? length : b->stride};
}

argand_status cuda_copy_block(const comm_block *to, const comm_block *from, void *stream)
{
    const comm_block *gaps = comm_is_whole(from) ? to : from; /* its pieces are copied */
    const size_t bytes = comm_block_bytes(from), length = gaps->length;
    const unsigned long long t = (uintptr_t)to->memory, f = (uintptr_t)from->memory;
    if (!bytes) return ARGAND_OK;
    if (comm_is_whole(gaps)) return check_copy(cuda_copies.piece(t, f, bytes, stream));
    const cuda_copy_end target = end_of(to, length), source = end_of(from, length);
    if (target.pitch <= INT32_MAX && source.pitch <= INT32_MAX) {
        const cuda_copy_rows copy = {source, target, length, (size_t)gaps->count};
        return check_copy(cuda_copies.rows(&copy, stream));
    }
    for (size_t i = 0; i < (size_t)gaps->count; i++)
        TRY(check_copy(cuda_copies.piece(t + i * target.pitch, f + i * source.pitch, length, stream)));
    return ARGAND_OK;
}
