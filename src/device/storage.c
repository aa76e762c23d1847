/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device with a reference count: new, temporary (from the arena), or wrapped. */
#include "device/handle.h"

#include "base/memory.h"

struct storage {
    argand_device *device;
    void *memory;
    /* Host address, stored because each call needs it; NULL if the host cannot access the memory. */
    void *address;
    size_t bytes;
    arena_block *block; /* temporary memory: its block of the arena */
    bool owned;         /* true: new; false: wrapped or temporary */
    atomic_int users;
};

static argand_status adopt(storage **out, argand_device *device, size_t bytes)
{
    TRY(NEW(*out, 1));
    **out = (storage){.device = device_keep(device), .bytes = bytes, .users = 1};
    return ARGAND_OK;
}

static void find_address(storage *s)
{
    const backend *b = s->device->backend;
    s->address = b->address ? b->address(s->device->context, s->memory) : NULL;
}

argand_status storage_create(storage **out, argand_device *device, size_t bytes)
{
    TRY(adopt(out, device, bytes));
    storage *const s = *out;
    const argand_status status = arena_alloc(device, bytes, &s->memory);
    if (status != ARGAND_OK) {
        storage_release(s);
        *out = NULL;
        return status;
    }
    s->owned = true;
    find_address(s);
    return ARGAND_OK;
}

/* Keeps the storage object with the block, so that its next user allocates nothing. */
static argand_status take_block(storage **out, argand_device *device, size_t bytes, bool lasting)
{
    arena_block *block;
    *out = NULL;
    TRY(arena_take(device, bytes, lasting, &block));
    *out = *arena_kept(block);
    const argand_status status = *out ? ARGAND_OK : NEW(*out, 1);
    if (status != ARGAND_OK) {
        arena_give(device, block);
        return status;
    }
    *arena_kept(block) = *out;
    **out = (storage){.device = device_keep(device),
                      .bytes = bytes,
                      .users = 1,
                      .block = block,
                      .memory = arena_memory(block)};
    find_address(*out);
    return ARGAND_OK;
}

argand_status storage_scratch(storage **out, argand_device *device, size_t bytes)
{
    return take_block(out, device, bytes, false);
}

argand_status storage_lasting(storage **out, argand_device *device, size_t bytes)
{
    return take_block(out, device, bytes, true);
}

argand_status storage_wrap(storage **out, argand_device *device, void *pointer, size_t before, size_t bytes)
{
    const backend *b = device->backend;
    CHECK(!b->handles || !before, ARGAND_UNSUPPORTED,
          "device \"%s\": a wrapped buffer starts with the array's first element, so its strides cannot be "
          "negative; wrap it with positive ones and take a view",
          b->name);
    TRY(adopt(out, device, bytes));
    void *const start = before ? (char *)pointer - before : pointer;
    const argand_status status = b->wrap(device->context, start, bytes, &(*out)->memory);
    if (status != ARGAND_OK) {
        storage_release(*out);
        *out = NULL;
    } else {
        find_address(*out);
    }
    return status;
}

storage *storage_keep(storage *s)
{
    atomic_fetch_add(&s->users, 1);
    return s;
}

void storage_release(storage *s)
{
    if (!s || atomic_fetch_sub(&s->users, 1) != 1) return;
    argand_device *const device = s->device;
    if (s->block) {
        arena_give(device, s->block);
    } else {
        if (s->memory && s->owned) arena_free(device, s->bytes, s->memory);
        if (s->memory && !s->owned) device->backend->free(device->context, s->memory);
        memory_free(s);
    }
    argand_device_close(device);
}

argand_device *storage_device(const storage *s)
{
    return s->device;
}

size_t storage_bytes(const storage *s)
{
    return s->bytes;
}

void *storage_address(const storage *s)
{
    return s->address;
}

void *storage_memory(const storage *s)
{
    return s->memory;
}

void *storage_native(const storage *s)
{
    const backend *b = s->device->backend;
    return b->native ? b->native(s->device->context, s->memory) : NULL;
}

static const char *start_of(const storage *s)
{
    return s->address ? s->address : storage_native(s);
}

bool storage_distance(int64_t *bytes, const storage *a, const storage *b)
{
    const char *x = start_of(a), *y = start_of(b);
    const bool handles = a->device->backend->handles || b->device->backend->handles;
    *bytes = a == b || handles ? 0 : (int64_t)((intptr_t)x - (intptr_t)y);
    return a == b || (x && y && (!handles || x == y));
}

bool storage_overlaps(const storage *a, const storage *b)
{
    int64_t distance;
    return storage_distance(&distance, a, b) && distance < (int64_t)b->bytes && -distance < (int64_t)a->bytes;
}
