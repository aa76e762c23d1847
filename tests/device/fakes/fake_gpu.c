/* SPDX-License-Identifier: BSD-3-Clause */
/* A driver for tests without a GPU, libcuda.so.1 or libamdhip64.so.7: the text is compiled once for each,
 * with what the driver has of its own (fake_cuda.c, fake_hip.c). Two devices (FAKE_CUDA_DEVICES: up to 8)
 * whose memory is the host's, streams that are always done, modules that take any bytes but "bad ...",
 * launches that are written down, and executed if the driver's own part can. Each function can be made to
 * fail, and what is alive is counted. Built with the declarations of the backends themselves, which are
 * also tested so. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake_blocks.h"
#include "fake_inside.h"

struct fake_gpu fake;

EXPORT struct fake_gpu *fake_state(void) __asm__(FAKE_STATE);
struct fake_gpu *fake_state(void)
{
    return &fake;
}

static struct gpu_stream_st foreign[3] = {{0, 0}, {0, 1}, {0, 0}};

gpu_result fake_enter(const char *function)
{
    COUNT(calls, 1);
    if (fake.fail_function && !strcmp(fake.fail_function, function) && fake.fail_after-- == 0)
        return fake.fail_with;
    return 0;
}

#define DECLARE(name, cuda, hip, parameters) \
    EXPORT gpu_result fake##name parameters __asm__(FAKE_SYMBOL(cuda, hip));
GPU_FUNCTIONS(DECLARE)
GPU_OPTIONAL_FUNCTIONS(DECLARE)

static gpu_result add_pinned(void **address, size_t bytes)
{
    if (!block_add(address, bytes, 1, fake_current())) return 999;
    return COUNT(alive, 1), 0;
}

static gpu_result add_device(void **address, size_t bytes)
{
    if (bytes > fake.free_bytes) return GPU_OUT_OF_MEMORY;
    if (!block_add(address, bytes, 2, fake_current())) return 999;
    __atomic_fetch_sub(&fake.free_bytes, bytes, __ATOMIC_SEQ_CST);
    return COUNT(alive, 1), 0;
}

static gpu_result drop_block(const void *address)
{
    unsigned int kind;
    const size_t bytes = block_drop(address, &kind);
    if (!bytes) return 1;
    if (kind == 2) __atomic_fetch_add(&fake.free_bytes, bytes, __ATOMIC_SEQ_CST);
    return COUNT(alive, -1), 0;
}

gpu_result fakeInit(unsigned int flags)
{
    fake.free_bytes = fake.free_bytes ? fake.free_bytes : (size_t)1 << 30;
    fake_open();
    fake.devices = getenv("FAKE_CUDA_DEVICES") ? atoi(getenv("FAKE_CUDA_DEVICES")) : 2;
    (void)flags;
    return fake.devices < 0 ? 100 : 0;
}
gpu_result fakeDriverGetVersion(int *version)
{
    const char *chosen = getenv("FAKE_GPU_DRIVER");
    return *version = chosen ? atoi(chosen) : FAKE_VERSION, 0;
}
gpu_result fakeDeviceGetCount(int *count)
{
    return *count = fake.devices, 0;
}
gpu_result fakeDeviceGet(int *device, int index)
{
    ENTER;
    return *device = index, index < MOST_DEVICES ? 0 : 101;
}
gpu_result fakeDeviceGetName(char *name, int size, int device)
{
    ENTER;
    return snprintf(name, (size_t)size, "Fake %d", device), 0;
}
gpu_result fakeDeviceTotalMem(size_t *bytes, int device)
{
    return (void)device, *bytes = (size_t)1 << 30, 0;
}
gpu_result fakeDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER;
    *value = fake_attribute(attribute, device);
    return *value < 0;
}
gpu_result fakeStreamCreate(gpu_stream *stream, unsigned int flags)
{
    CURRENT;
    (void)flags;
    *stream = malloc(sizeof **stream);
    **stream = (struct gpu_stream_st){fake_current(), 0};
    return COUNT(alive, 1), 0;
}
gpu_result fakeStreamDestroy(gpu_stream stream)
{
    return free(stream), COUNT(alive, -1), 0;
}
gpu_result fakeStreamSynchronize(gpu_stream stream)
{
    CURRENT;
    fake.spoiled += fake.captured && stream == fake.captured;
    return fake.captured && (stream == fake.captured || fake.mode != 2) ? 900 : 0;
}
gpu_result fakeEventCreate(gpu_event *event, unsigned int flags)
{
    CURRENT;
    (void)flags;
    *event = malloc(1);
    return COUNT(alive, 1), 0;
}
gpu_result fakeEventDestroy(gpu_event event)
{
    return free(event), COUNT(alive, -1), 0;
}
gpu_result fakeEventRecord(gpu_event event, gpu_stream stream)
{
    CURRENT;
    return (void)event, (void)stream, 0;
}
gpu_result fakeEventSynchronize(gpu_event event)
{
    CURRENT;
    return (void)event, 0;
}
gpu_result fakeStreamWaitEvent(gpu_stream stream, gpu_event event, unsigned int flags)
{
    CURRENT;
    return (void)event, (void)flags, fake.waits++, fake.captured && stream == fake.captured ? 905 : 0;
}
gpu_result fakeThreadExchangeMode(int *mode)
{
    CURRENT;
    const int before = fake.mode;
    return fake.mode = *mode, *mode = before, 0;
}
gpu_result fakeEventElapsedTime(float *milliseconds, gpu_event first, gpu_event second)
{
    CURRENT;
    return (void)first, (void)second, *milliseconds = 12.5f, 0;
}
gpu_result fakeMemGetInfo(size_t *bytes, size_t *total)
{
    return *bytes = fake.free_bytes, *total = (size_t)1 << 30, 0;
}
gpu_result fakeMemAlloc(gpu_address *address, size_t bytes)
{
    CURRENT;
    void *block = NULL;
    const gpu_result result = add_device(&block, bytes);
    return *address = (uintptr_t)block, result;
}
gpu_result fakeMemFree(gpu_address address)
{
    return drop_block((void *)(uintptr_t)address);
}
gpu_result fakeMemAllocAsync(gpu_address *address, size_t bytes, gpu_stream stream)
{
    CURRENT;
    void *block = NULL;
    const gpu_result result = add_device(&block, bytes);
    return (void)stream, *address = (uintptr_t)block, result;
}
gpu_result fakeMemFreeAsync(gpu_address address, gpu_stream stream)
{
    fake.spoiled += fake.captured && stream == fake.captured;
    return drop_block((void *)(uintptr_t)address);
}
/* a kernel whose numbers follow from what is asked */
gpu_result fakeFuncGetAttribute(int *value, int attribute, gpu_function function)
{
    CURRENT;
    *value = 10 * attribute;
    return (void)function, 0;
}
gpu_result fakeGroupsAtATime(int *groups, gpu_function function, int items, size_t shared_bytes)
{
    CURRENT;
    *groups = 2048 / items - (int)(shared_bytes > 0);
    return (void)function, 0;
}
gpu_result fakeMemHostAlloc(void **host, size_t bytes, unsigned int flags)
{
    CURRENT;
    return (void)flags, add_pinned(host, bytes);
}
gpu_result fakeMemFreeHost(void *host)
{
    return drop_block(host);
}
gpu_result fakeMemcpyHtoDAsync(gpu_address to, const void *from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(to, bytes)) return 1;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return (void)stream, COUNT(copies, 1), 0;
}
gpu_result fakeMemcpyDtoHAsync(void *to, gpu_address from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(from, bytes)) return 1;
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return (void)stream, COUNT(copies, 1), 0;
}
gpu_result fakeMemcpyDtoDAsync(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(to, bytes) || !block_holds(from, bytes)) return 1;
    memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return (void)stream, 0;
}
gpu_result fakeMemsetD8Async(gpu_address to, unsigned char value, size_t bytes, gpu_stream stream)
{
    CURRENT;
    if (!block_holds(to, bytes)) return 1;
    memset((void *)(uintptr_t)to, value, bytes);
    return (void)stream, 0;
}
gpu_result fakePointerGetAttribute(void *value, int attribute, gpu_address pointer)
{
    ENTER;
    const struct block *b = block_find(pointer);
    const gpu_address start = b ? (uintptr_t)b->address : 0;
    const unsigned int managed = 0;
    if (!b) return 1;
    if (attribute == GPU_POINTER_MEMORY_TYPE) memcpy(value, &b->kind, sizeof b->kind);
    if (attribute == GPU_POINTER_DEVICE) memcpy(value, &b->device, sizeof b->device);
    if (attribute == GPU_POINTER_IS_MANAGED) memcpy(value, &managed, sizeof managed);
    if (attribute == GPU_POINTER_RANGE_START) memcpy(value, &start, sizeof start);
    if (attribute == GPU_POINTER_RANGE_SIZE) memcpy(value, &b->bytes, sizeof b->bytes);
    return 0;
}
gpu_result fakePointerGetAttributes(unsigned int count, int *attributes, void **values, gpu_address pointer)
{
    ENTER;
    for (unsigned int i = 0; i < count; i++) {
        memset(values[i], 0, 4); /* unknown pointers are no error here */
        if (block_find(pointer)) fakePointerGetAttribute(values[i], attributes[i], pointer);
    }
    return 0;
}
gpu_result fakeModuleLoadData(gpu_module *module, const void *image)
{
    CURRENT;
    if (!strncmp(image, "bad", 3)) return 218;
    *module = calloc(1, sizeof **module);
    (*module)->image = fake_executor ? strdup(image) : NULL;
    return COUNT(alive, 1), fake.loads++, 0;
}
gpu_result fakeModuleUnload(gpu_module module)
{
    if (module->kernel) fake_executor->release(module->kernel);
    free(module->image);
    return free(module), COUNT(alive, -1), 0;
}
gpu_result fakeModuleGetFunction(gpu_function *function, gpu_module module, const char *name)
{
    CURRENT;
    snprintf(fake.function, sizeof fake.function, "%s", name);
    if (fake_executor && !module->kernel) module->kernel = fake_executor->build(module->image, name);
    if (fake_executor && !module->kernel) return 218;
    return *function = (gpu_function)(void *)module, 0;
}
gpu_result fakeLaunchKernel(gpu_function function, unsigned int groups_x, unsigned int groups_y,
                            unsigned int groups_z, unsigned int items_x, unsigned int items_y,
                            unsigned int items_z, unsigned int shared_bytes, gpu_stream stream,
                            void **arguments, void **extra)
{
    CURRENT;
    (void)groups_y, (void)groups_z, (void)items_y, (void)items_z, (void)extra;
    fake.launches++;
    fake.groups = groups_x;
    fake.items = items_x;
    fake.shared_bytes = shared_bytes;
    fake.stream = stream;
    memcpy(&fake.first_buffer, arguments[0], sizeof fake.first_buffer);
    if (fake_executor)
        return fake_executor->start(((gpu_module)(void *)function)->kernel, groups_x, (int)items_x,
                                    arguments);
    memcpy(&fake.first_scalar, arguments[1], sizeof fake.first_scalar);
    return 0;
}

gpu_result fakeStreamIsCapturing(gpu_stream stream, int *status)
{
    CURRENT;
    return *status = fake.capturing || (stream && stream == fake.captured), 0;
}

EXPORT gpu_stream fake_stream(int other_context) __asm__(FAKE_STREAM);
gpu_stream fake_stream(int other_context)
{
    return &foreign[other_context];
}
