/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/cuda.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long address;

struct cuda_peer {
    int (*init)(unsigned int flags);
    int (*device_get)(int *device, int index);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*stream_create)(void **stream, unsigned int flags);
    int (*stream_destroy)(void *stream);
    int (*allocate)(address *memory, size_t bytes);
    int (*free_memory)(address memory);
    int (*memory_info)(size_t *free_bytes, size_t *total);
    int device;
    void *context, *stream;
};

/* Looks up a function. POSIX's dlsym returns functions as data pointers; C allows the conversion only by
 * copying the bits. */
static bool find(void *library, const char *symbol, void *function)
{
    void *found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool find_all(cuda_peer *c, void *library)
{
    return find(library, "cuInit", &c->init) && find(library, "cuDeviceGet", &c->device_get) &&
           find(library, "cuDevicePrimaryCtxRetain", &c->retain) &&
           find(library, "cuDevicePrimaryCtxRelease_v2", &c->release) &&
           find(library, "cuCtxPushCurrent_v2", &c->push) && find(library, "cuCtxPopCurrent_v2", &c->pop) &&
           find(library, "cuStreamCreate", &c->stream_create) &&
           find(library, "cuStreamDestroy_v2", &c->stream_destroy) &&
           find(library, "cuMemAlloc_v2", &c->allocate) && find(library, "cuMemFree_v2", &c->free_memory) &&
           find(library, "cuMemGetInfo_v2", &c->memory_info);
}

int cuda_peer_index(const char *name)
{
    if (!name) name = getenv("ARGAND_DEVICE");
    return name && !strncmp(name, "cuda:", 5) ? atoi(name + 5) : 0;
}

/* Opens a device. Its context stays current in this thread, because cuFFT uses the current context. */
cuda_peer *cuda_peer_open(int index, char *why, size_t size)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    cuda_peer *c = calloc(1, sizeof *c);
    snprintf(why, size, "the CUDA driver cannot be used");
    if (!c || !library || !find_all(c, library)) {
        free(c);
        return NULL;
    }
    int error = c->init(0);
    if (!error) error = c->device_get(&c->device, index);
    if (!error) error = c->retain(&c->context, c->device);
    if (!error) error = c->push(c->context);
    if (!error) error = c->stream_create(&c->stream, 0);
    if (!error) return c;
    snprintf(why, size, "the CUDA driver gave error %d", error);
    cuda_peer_close(c);
    return NULL;
}

void *cuda_peer_stream(const cuda_peer *c)
{
    return c->stream;
}

void *cuda_peer_allocate(cuda_peer *c, size_t bytes)
{
    address memory;
    return c->allocate(&memory, bytes) ? NULL : (void *)(uintptr_t)memory;
}

void cuda_peer_free(cuda_peer *c, void *memory)
{
    if (memory) (void)c->free_memory((address)(uintptr_t)memory);
}

size_t cuda_peer_free_bytes(const cuda_peer *c)
{
    size_t free_bytes = 0, total;
    return c->memory_info(&free_bytes, &total) ? 0 : free_bytes;
}

void cuda_peer_close(cuda_peer *c)
{
    void *popped;
    if (!c) return;
    if (c->stream) (void)c->stream_destroy(c->stream);
    if (c->context) {
        (void)c->pop(&popped);
        (void)c->release(c->device);
    }
    free(c);
}
