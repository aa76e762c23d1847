/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a driver and its devices. */
#include "device/gpu/context.h"

#include <stdio.h>
#include "base/memory.h"

enum { STAGES = 4, STAGE_BYTES = 4 << 20 };

void gpu_open_driver(gpu_found *found, const gpu_vendor *vendor, const char *const *names,
                     foreign_place place, const foreign_function *functions, void *table)
{
    char reason[320];
    if (!foreign_open(names, place, functions, table, reason, sizeof reason)) {
        snprintf(found->reason, sizeof found->reason, "there is no %s driver: %s", vendor->maker, reason);
        return;
    }
    gpu_result result = vendor->driver->Init(0);
    if (!result) result = vendor->driver->DeviceGetCount(&found->count);
    if (result) {
        found->count = 0;
        vendor->error_text(result, reason, sizeof reason);
        snprintf(found->reason, sizeof found->reason, "the %s driver says: %s", vendor->maker, reason);
    } else if (found->count < 1) {
        snprintf(found->reason, sizeof found->reason, "the %s driver sees no device", vendor->maker);
    }
}

int gpu_attribute(const gpu_context *c, int which, int unknown)
{
    int value = 0;
    return c->call->DeviceGetAttribute(&value, which, c->device) || value <= 0 ? unknown : value;
}

void gpu_traits(const gpu_context *c, device_traits *t)
{
    const gpu_numbers *n = &c->vendor->numbers;
    size_t memory = 0;
    if (!c->call->DeviceTotalMem(&memory, c->device)) t->memory = memory;
    t->units = gpu_attribute(c, n->units, 0);
    t->wave = gpu_attribute(c, n->wave, t->wave);
    t->group_items = gpu_attribute(c, n->group_items, t->group_items);
    t->registers = gpu_attribute(c, n->registers, t->registers);
    t->group_memory = (size_t)gpu_attribute(c, n->group_memory, (int)t->group_memory);
}

/* Opens the device, its context and a stream. This stream and the legacy default stream wait for each
 * other, so that memory from the vendor's runtime can be wrapped without further synchronisation. */
static argand_status prepare(gpu_context *c)
{
    const gpu_vendor *v = c->vendor;
    TRY(gpu_check(c, c->call->DeviceGet(&c->device, c->index), "it cannot be opened"));
    TRY(gpu_check(c, c->call->DeviceGetName(c->name, sizeof c->name, c->device), "it has no name"));
    c->pools = gpu_attribute(c, v->numbers.pools, 0) && c->call->MemAllocAsync && c->call->MemFreeAsync;
    TRY(v->open(c));
    argand_status status = gpu_enter(c);
    if (status == ARGAND_OK)
        status = gpu_leave(c, gpu_check(c, c->call->StreamCreate(&c->stream, 0), "it has no stream"));
    if (status != ARGAND_OK) v->close(c);
    c->own_stream = status == ARGAND_OK;
    return status;
}

argand_status gpu_open(const gpu_vendor *vendor, int index, void **context)
{
    gpu_context *c;
    TRY(memory_new(&c, 1, vendor->context_bytes));
    c->vendor = vendor;
    c->call = vendor->driver;
    c->index = index;
    snprintf(c->name, sizeof c->name, "?");
    const argand_status status = prepare(c);
    if (status != ARGAND_OK) {
        memory_free(c);
        return status;
    }
    pthread_mutex_init(&c->late_lock, NULL);
    pthread_mutex_init(&c->stream_lock, NULL);
    stages_open(&c->stages, &gpu_stage_calls, c, STAGES, STAGE_BYTES);
    *context = c;
    return ARGAND_OK;
}

void gpu_close(void *context)
{
    gpu_context *c = context;
    const bool entered = gpu_enter_to_free(c);
    if (!gpu_is_captured(c)) c->call->StreamSynchronize(c->stream);
    gpu_free_late(c);
    stages_close(&c->stages);
    if (c->own_stream) c->call->StreamDestroy(c->stream);
    if (c->before) c->call->EventDestroy(c->before);
    gpu_leave_freed(c, entered);
    c->vendor->close(c);
    pthread_mutex_destroy(&c->late_lock);
    pthread_mutex_destroy(&c->stream_lock);
    memory_free(c);
}

argand_status gpu_wait(void *context)
{
    const gpu_context *c = context;
    TRY(gpu_enter(c));
    argand_status status = gpu_refuse_captured(c, "nothing can be waited for");
    if (status == ARGAND_OK)
        status = gpu_check(c, c->call->StreamSynchronize(c->stream), "earlier work failed");
    return gpu_leave(c, status);
}

argand_status gpu_native_enter(void *context, void **stream)
{
    const gpu_context *c = context;
    *stream = c->stream;
    return gpu_enter(c);
}

void gpu_native_leave(void *context)
{
    gpu_leave(context, ARGAND_OK);
}

int gpu_items(void *context)
{
    (void)context;
    return GPU_ITEMS;
}
