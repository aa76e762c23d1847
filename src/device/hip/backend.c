/* SPDX-License-Identifier: BSD-3-Clause */
/* The hip backend: AMD GPUs through ROCm's HIP. Here is what HIP has in another form than CUDA; it has no
 * graphs of kernels that were loaded from modules, so that replayed launches start one by one. */
#include <stdio.h>
#include <string.h>
#include "device/drivers/chips.h"
#include "device/hip/context.h"
#include "device/hip/hiprtc.h"

static int count(const char **reason)
{
    const int devices = hip_driver_count(reason);
    if (devices > 0) hiprtc_open(reason); /* without hipRTC, *reason says why "auto" should skip them */
    return devices;
}

/* Finds the chip's name in the properties, whose layout depends on the version: it is the only text there
 * that begins with "gfx", behind the device's name. */
static argand_status find_chip(hip_context *c)
{
    enum { MOST_BYTES = 16384, DEVICE_NAME = 256 };
    char properties[MOST_BYTES] = "";
    gpu_result (*const read)(void *, int) =
        hip.GetDevicePropertiesR0600 ? hip.GetDevicePropertiesR0600 : hip.GetDeviceProperties;
    TRY(gpu_check(&c->common, read(properties, c->common.device), "its properties are not known"));
    const char *chip = memmem(properties + DEVICE_NAME, MOST_BYTES - DEVICE_NAME - 1, "gfx", 3);
    CHECK(chip, ARGAND_DEVICE, "hip:%d (%s): the driver does not name its chip", c->common.index,
          c->common.name);
    snprintf(c->chip, sizeof c->chip, "%s", chip);
    return ARGAND_OK;
}

static argand_status open_chip(gpu_context *g)
{
    return find_chip((hip_context *)g);
}

static void close_chip(gpu_context *g)
{
    (void)g;
}

/* Devices that were current before nested calls. More calls than that are refused. */
enum { MOST_NESTED = 16 };
static _Thread_local int before[MOST_NESTED], depth;

static gpu_result push(const gpu_context *g)
{
    if (depth == MOST_NESTED) return hipErrorInvalidContext;
    int *current = &before[depth];
    gpu_result result = hip.GetDevice(current);
    if (!result && *current != g->device) result = hip.SetDevice(g->device);
    if (!result) depth++;
    return result;
}

static void pop(const gpu_context *g)
{
    const int device = before[--depth];
    if (device != g->device) hip.SetDevice(device);
}

static void error_text(gpu_result result, char *reason, size_t size)
{
    const char *name = hip.GetErrorName(result), *text = hip.GetErrorString(result);
    snprintf(reason, size, "%s (%d: %s)", name ? name : "an error without a name", result,
             text ? text : "no explanation");
}

static argand_status check_stream(const gpu_context *g, gpu_stream stream)
{
    int owner = g->device;
    if (stream && hip.StreamGetDevice)
        TRY(gpu_check(g, hip.StreamGetDevice(stream, &owner), "the stream that was given is not one"));
    CHECK(owner == g->device, ARGAND_ARGUMENT, "hip:%d (%s): the stream belongs to hip:%d; open that device",
          g->index, g->name, owner);
    return ARGAND_OK;
}

static gpu_result copy_known(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream)
{
    return hip.MemcpyAsync(to, from, bytes, hipMemcpyDefault, stream);
}

static argand_status compile(const gpu_context *g, const kernel_source *source, unsigned char **bytes,
                             size_t *count)
{
    const char *reason;
    CHECK(hiprtc_open(&reason), ARGAND_BUILD, "hip:%d (%s): kernel \"%s\": %s", g->index, g->name,
          source->key, reason);
    return hiprtc_compile(source, ((const hip_context *)g)->chip, bytes, count);
}

const gpu_vendor hip_vendor = {
    .name = "hip",
    .title = "HIP",
    .maker = "AMD",
    .slot = 1,
    .context_bytes = sizeof(hip_context),
    .driver = &hip.common,
    .numbers = {.units = hipDeviceAttributeMultiprocessorCount,
                .wave = hipDeviceAttributeWarpSize,
                .group_items = hipDeviceAttributeMaxThreadsPerBlock,
                .items_of_unit = hipDeviceAttributeMaxThreadsPerMultiProcessor,
                .registers = hipDeviceAttributeMaxRegistersPerBlock,
                .group_memory = hipDeviceAttributeMaxSharedMemoryPerBlock,
                .pools = hipDeviceAttributeMemoryPoolsSupported},
    .open = open_chip,
    .close = close_chip,
    .push = push,
    .pop = pop,
    .error_text = error_text,
    .check_stream = check_stream,
    .copy_known = copy_known,
    .compile = compile,
};

static argand_status open(int index, void **context)
{
    return gpu_open(&hip_vendor, index, context);
}

static void describe(void *context, argand_device_info *info)
{
    const hip_context *c = context;
    int driver = 0, major = 0, minor = 0;
    char compiler[64] = "no hipRTC: kernels cannot be compiled";
    const char *reason;
    snprintf(info->name, sizeof info->name, "%s", c->common.name);
    snprintf(info->backend, sizeof info->backend, "hip");
    hip.common.DriverGetVersion(&driver);
    if (hiprtc_open(&reason)) {
        hiprtc_version(&major, &minor);
        snprintf(compiler, sizeof compiler, "hipRTC %d.%d", major, minor);
    }
    snprintf(info->detail, sizeof info->detail, "%s, driver HIP %d.%d, %s", c->chip, driver / 10000000,
             driver % 10000000 / 100000, compiler);
}

/* Properties of all chips for which hipRTC compiles ("HIP: hardware features"). */
static void traits(void *context, device_traits *t)
{
    const hip_context *c = context;
    *t = (device_traits){.wave = 64,
                         .group_items = GPU_MOST_ITEMS,
                         .registers = 65536,
                         .group_memory = 64 << 10,
                         .group_memory_given = true,
                         .has_double = true};
    gpu_traits(&c->common, t);
    t->group_memory_default = t->group_memory;
    chips_describe_amd(t, c->common.name, c->chip);
}

extern const backend backend_hip;
const backend backend_hip = {
    .name = "hip",
    .count = count,
    .open = open,
    .describe = describe,
    .traits = traits,
    .compile_nothing = gpu_compile_nothing,
    GPU_BACKEND,
};
