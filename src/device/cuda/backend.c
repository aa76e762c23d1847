/* SPDX-License-Identifier: BSD-3-Clause */
/* The cuda backend: NVIDIA GPUs through the driver API. */
#include <pthread.h>
#include <stdio.h>
#include "device/cuda/context.h"
#include "device/cuda/nvrtc.h"

static int count(const char **reason)
{
    const int devices = cuda_driver_count(reason);
    if (devices > 0) nvrtc_open(reason); /* without NVRTC, *reason says why "auto" should skip the devices */
    return devices;
}

static void *compile_nothing(void *unused)
{
    (void)unused;
    nvrtc_compile_nothing();
    return NULL;
}

/* NVRTC's first compilation, which calls would wait for, takes less time than the driver's start. */
static argand_status open(int index, void **context)
{
    pthread_t other;
    const bool together = !pthread_create(&other, NULL, compile_nothing, NULL);
    const argand_status status = gpu_open(&cuda_vendor, index, context);
    if (together) pthread_join(other, NULL);
    return status;
}

static void compile_nothing_now(void *context)
{
    (void)context;
    nvrtc_compile_nothing();
}

static void describe(void *context, argand_device_info *info)
{
    const cuda_context *c = context;
    int driver = 0, major = 0, minor = 0;
    const char *reason;
    snprintf(info->name, sizeof info->name, "%s", c->common.name);
    snprintf(info->backend, sizeof info->backend, "cuda");
    cu.common.DriverGetVersion(&driver);
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

static void describe_target(void *context, char *text, size_t size)
{
    nvrtc_describe_target(((const cuda_context *)context)->capability, text, size);
}

extern const backend backend_cuda;
const backend backend_cuda = {
    .name = "cuda",
    .count = count,
    .open = open,
    .describe = describe,
    .describe_target = describe_target,
    .compile_nothing = compile_nothing_now,
    .traits = cuda_traits,
    .replay_new = cuda_replay_new,
    .replay_start = cuda_replay_start,
    .replay_free = cuda_replay_free,
    .capture_begin = cuda_capture_begin,
    .capture_end = cuda_capture_end,
    .graph_start = cuda_graph_start,
    .graph_free = cuda_graph_free,
    GPU_BACKEND,
};
