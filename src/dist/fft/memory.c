/* SPDX-License-Identifier: BSD-3-Clause */
/* The one place that knows where the memory of an exchange is. The host's memory is used directly. On other
 * devices the communicator addresses the memory itself (comm_engine's device_memory), or whole parts are
 * copied to the host, exchanged there and copied back. */
#include "dist/fft/memory.h"

#include "base/memory.h"

bool dist_memory_copies(const argand_comm *comm, argand_device *device)
{
    return !device_is_host(device) && !(comm && comm->engine->device_memory);
}

argand_status dist_memory_make(dist_memory *memory, const argand_comm *comm, argand_device *device,
                               size_t sent_bytes, size_t received_bytes)
{
    *memory = (dist_memory){.device = device};
    if (!dist_memory_copies(comm, device)) return ARGAND_OK;
    TRY(memory_take(&memory->sent, sent_bytes));
    return memory_take(&memory->received, received_bytes);
}

void dist_memory_free(dist_memory *memory)
{
    memory_free(memory->received);
    memory_free(memory->sent);
    *memory = (dist_memory){0};
}

argand_array dist_view(const argand_array *array, argand_type type, int64_t span)
{
    argand_array view = {.storage = array->storage, .type = type, .rank = 1, .dims = {span}, .strides = {1}};
    view.count = span;
    view.offset = array->offset * (int64_t)argand_type_size(array->type) / (int64_t)argand_type_size(type);
    return view;
}

static void *address_of(const argand_array *array)
{
    if (!array) return NULL;
    char *base = storage_address(array->storage);
    if (!base) base = storage_native(array->storage);
    return base + array->offset * (int64_t)argand_type_size(array->type);
}

argand_status dist_memory_start(dist_memory *memory, dist_move *move, argand_comm *comm, argand_array *to,
                                const argand_array *from, bool keeps, argand_status *own)
{
    if (!dist_memory_copies(comm, memory->device)) {
        if (!*own && device_is_host(memory->device)) *own = argand_device_wait(memory->device);
        return dist_move_start(move, comm, address_of(to), address_of(from), own);
    }
    if (!*own && from) *own = argand_array_download(from, memory->sent);
    if (!*own && to && keeps) *own = argand_array_download(to, memory->received);
    return dist_move_start(move, comm, memory->received, memory->sent, own);
}

argand_status dist_memory_finish(dist_memory *memory, dist_move *move, argand_comm *comm, argand_array *to,
                                 argand_status *own)
{
    const argand_status finished = dist_move_finish(move, comm);
    /* between devices the hosts can still agree, so that a rank's failure is told there */
    if (finished && !comm->host) return finished;
    if (!*own) *own = finished;
    if (!*own && to && dist_memory_copies(comm, memory->device))
        *own = argand_array_upload(to, memory->received);
    return ARGAND_OK;
}
