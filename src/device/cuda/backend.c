/* SPDX-License-Identifier: BSD-3-Clause */
/* The cuda backend: NVIDIA GPUs through the driver API. All work goes into one stream. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/cuda/context.h"
#include "device/cuda/nvrtc.h"

static int count(const char **reason)
{
    const int devices = cuda_driver_count(reason);
    if (devices > 0) nvrtc_open(reason); /* without NVRTC, *reason says why "auto" should skip the devices */
    return devices;
}

/* Opens the device, its context and a stream. This stream and the legacy default stream wait for each
 * other, so that memory from the CUDA runtime can be wrapped without further synchronisation. */
static argand_status prepare(cuda_context *c)
{
    int major = 0, minor = 0, pools = 0, driver = 0;
    device_traits t;
    TRY(cuda_check(c, cu.DeviceGet(&c->device, c->index), "it cannot be opened"));
    TRY(cuda_check(c, cu.DeviceGetName(c->name, sizeof c->name, c->device), "it has no name"));
    TRY(cuda_check(c, cu.DeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device),
                   "its compute capability is not known"));
    TRY(cuda_check(c, cu.DeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device),
                   "its compute capability is not known"));
    if (cu.DeviceGetAttribute(&pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, c->device)) pools = 0;
    c->capability = 10 * major + minor;
    c->pools = pools && cu.MemAllocAsync && cu.MemFreeAsync;
    if (cu.DriverGetVersion(&driver)) driver = 0;
    cuda_traits(c, &t);
    c->overlaps = t.overlaps && driver >= 12030 && cu.LaunchKernelEx; /* 12.3: can also be captured */
    TRY(cuda_check(c, cu.DevicePrimaryCtxRetain(&c->context, c->device), "it cannot be opened"));
    argand_status status = cuda_enter(c);
    if (status == ARGAND_OK)
        status = cuda_leave(cuda_check(c, cu.StreamCreate(&c->stream, 0), "it has no stream"));
    if (status != ARGAND_OK) cu.DevicePrimaryCtxRelease(c->device);
    c->own_stream = status == ARGAND_OK;
    return status;
}

static argand_status open(int index, void **context)
{
    cuda_context *c;
    TRY(NEW(c, 1));
    c->index = index;
    snprintf(c->name, sizeof c->name, "?");
    const argand_status status = prepare(c);
    if (status != ARGAND_OK) {
        memory_free(c);
        return status;
    }
    pthread_mutex_init(&c->stage_lock, NULL);
    *context = c;
    return ARGAND_OK;
}

static void close(void *context)
{
    cuda_context *c = context;
    const bool entered = cuda_enter_to_free(c);
    if (!cuda_is_captured(c)) cu.StreamSynchronize(c->stream);
    cuda_free_late(c);
    cuda_stages_free(c);
    if (c->own_stream) cu.StreamDestroy(c->stream);
    if (c->before) cu.EventDestroy(c->before);
    cuda_leave_freed(entered);
    cu.DevicePrimaryCtxRelease(c->device);
    pthread_mutex_destroy(&c->stage_lock);
    memory_free(c);
}

static void describe(void *context, argand_device_info *info)
{
    const cuda_context *c = context;
    int driver = 0, major = 0, minor = 0;
    const char *reason;
    snprintf(info->name, sizeof info->name, "%s", c->name);
    snprintf(info->backend, sizeof info->backend, "cuda");
    cu.DriverGetVersion(&driver);
    if (nvrtc_open(&reason)) {
        nvrtc_version(&major, &minor);
        snprintf(info->detail, sizeof info->detail, "capability %d.%d, driver CUDA %d.%d, NVRTC %d.%d",
                 c->capability / 10, c->capability % 10, driver / 1000, driver % 1000 / 10, major, minor);
    } else {
        snprintf(info->detail, sizeof info->detail,
                 "capability %d.%d, driver CUDA %d.%d, no NVRTC: kernels cannot be compiled",
                 c->capability / 10, c->capability % 10, driver / 1000, driver % 1000 / 10);
    }
    info->capability = c->capability;
}

static int items(void *context)
{
    (void)context;
    return CUDA_ITEMS;
}

static argand_status wait(void *context)
{
    const cuda_context *c = context;
    TRY(cuda_enter(c));
    argand_status status = cuda_refuse_captured(c, "nothing can be waited for");
    if (status == ARGAND_OK) status = cuda_check(c, cu.StreamSynchronize(c->stream), "earlier work failed");
    return cuda_leave(status);
}

static bool is_captured(void *context)
{
    if (cuda_enter(context) != ARGAND_OK) return true;
    const bool captured = cuda_is_captured(context);
    cuda_leave(ARGAND_OK);
    return captured;
}

static argand_status native_enter(void *context, void **stream)
{
    const cuda_context *c = context;
    *stream = c->stream;
    return cuda_enter(c);
}

static void native_leave(void *context)
{
    (void)context;
    cuda_leave(ARGAND_OK);
}

static void *native(void *context, void *memory)
{
    (void)context;
    return (void *)(uintptr_t)((cuda_memory *)memory)->address;
}

extern const backend backend_cuda;
const backend backend_cuda = {
    .name = "cuda",
    .count = count,
    .open = open,
    .close = close,
    .describe = describe,
    .traits = cuda_traits,
    .use_stream = cuda_use_stream,
    .follow_stream = cuda_follow_stream,
    .is_captured = is_captured,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .wrap = cuda_wrap,
    .native = native,
    .native_enter = native_enter,
    .native_leave = native_leave,
    .upload = cuda_upload,
    .download = cuda_download,
    .copy = cuda_copy,
    .fill = cuda_fill,
    .items = items,
    .builds_in_parallel = true,
    .build = cuda_build,
    .discard = cuda_discard,
    .launch = cuda_launch,
    .replay_new = cuda_replay_new,
    .replay_start = cuda_replay_start,
    .replay_free = cuda_replay_free,
    .needs = cuda_needs,
    .wait = wait,
    .event_new = cuda_event_new,
    .event_free = cuda_event_free,
    .event_record = cuda_event_record,
    .event_between = cuda_event_between,
};
