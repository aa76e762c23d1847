/* SPDX-License-Identifier: BSD-3-Clause */
/* The opencl backend: any device with OpenCL 1.2, through one in-order queue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "device/drivers/chips.h"
#include "device/opencl/context.h"

enum { STAGES = 8, STAGE_BYTES = 2 << 20 };

/* Receives the driver's reports of failures, from any thread. */
static void notify(const char *reason, const void *bytes, size_t count, void *data)
{
    (void)bytes;
    (void)count;
    opencl_context *c = data;
    pthread_mutex_lock(&c->reason_lock);
    snprintf(c->reason, sizeof c->reason, "%s", reason);
    pthread_mutex_unlock(&c->reason_lock);
}

/* Returns true if the device has doubles. ARGAND_OPENCL_DOUBLE=off hides them, for tests. */
static bool find_double(cl_device device)
{
    char extensions[16384];
    const char *off = getenv("ARGAND_OPENCL_DOUBLE");
    opencl_device_text(device, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    return strstr(extensions, "cl_khr_fp64") && !(off && !strcmp(off, "off"));
}

/* Chooses the items per group: a power of two up to 256 within the device's limits, in all and along the
 * first dimension. */
static void find_items(opencl_context *c)
{
    size_t most = 1, along[16] = {0};
    cl.GetDeviceInfo(c->place.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (!cl.GetDeviceInfo(c->place.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof along, along, NULL) &&
        along[0] && along[0] < most)
        most = along[0];
    c->items_most = most < 65536 ? (int)most : 65536;
    c->items = 1;
    while (c->items < 256 && 2 * c->items <= c->items_most) c->items *= 2;
}

static void read_device(opencl_context *c)
{
    cl_bits single = 0;
    opencl_device_text(c->place.device, CL_DEVICE_NAME, c->name, sizeof c->name);
    c->has_double = find_double(c->place.device);
    cl.GetDeviceInfo(c->place.device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
    snprintf(c->options, sizeof c->options, "-cl-std=CL1.2%s%s",
             single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
             c->has_double ? "" : " -DWITHOUT_DOUBLE");
    find_items(c);
}

static argand_status make_queue(opencl_context *c)
{
    const intptr_t properties[] = {CL_CONTEXT_PLATFORM, (intptr_t)c->place.platform, 0};
    cl_int error = 0;
    c->context = cl.CreateContext(properties, 1, &c->place.device, notify, c, &error);
    TRY(opencl_check(c, error, "it cannot be opened"));
    c->queue = cl.CreateCommandQueue(c->context, c->place.device, CL_QUEUE_PROFILING_ENABLE, &error);
    c->profiled = true;
    return opencl_check(c, error, "it has no queue");
}

static void release(opencl_context *c)
{
    if (c->queue) cl.Finish(c->queue);
    if (c->queue) stages_drop(&c->stages);
    if (c->queue) cl.ReleaseCommandQueue(c->queue);
    if (c->context) cl.ReleaseContext(c->context);
    c->queue = NULL;
    c->context = NULL;
}

static void close(void *context)
{
    opencl_context *c = context;
    release(c);
    pthread_mutex_destroy(&c->reason_lock);
    stages_close(&c->stages);
    memory_free(c);
}

static argand_status open(int index, void **context)
{
    opencl_context *c;
    TRY(NEW(c, 1));
    c->index = index;
    c->place = opencl_platforms_place(index);
    pthread_mutex_init(&c->reason_lock, NULL);
    stages_open(&c->stages, &opencl_stage_calls, c, STAGES, STAGE_BYTES);
    c->stages.spreads = true;
    read_device(c);
    const argand_status status = make_queue(c);
    if (status != ARGAND_OK) {
        close(c);
        return status;
    }
    *context = c;
    return ARGAND_OK;
}

/* Uses the caller's queue and its context, so that the caller's buffers can be wrapped. */
static argand_status use_stream(void *context, void *stream)
{
    opencl_context *c = context;
    const cl_queue queue = stream;
    cl_device device = NULL;
    cl_context owner = NULL;
    cl_bits properties = 0;
    CHECK(stream, ARGAND_ARGUMENT, "opencl:%d (%s): no command queue was given", c->index, c->name);
    cl_int error = cl.GetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (!error) error = cl.GetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof owner, &owner, NULL);
    if (!error)
        error = cl.GetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    TRY(opencl_check(c, error, "what was given is not a command queue"));
    CHECK(device == c->place.device, ARGAND_ARGUMENT,
          "opencl:%d (%s): the command queue is of another device", c->index, c->name);
    CHECK(!(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), ARGAND_UNSUPPORTED,
          "opencl:%d (%s): the command queue is out of order; give one that works in order", c->index,
          c->name);
    cl.RetainCommandQueue(queue);
    cl.RetainContext(owner);
    release(c);
    c->queue = queue;
    c->context = owner;
    c->foreign = true;
    c->profiled = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    return ARGAND_OK;
}

static void traits(void *context, device_traits *t)
{
    const opencl_context *c = context;
    const cl_device device = c->place.device;
    cl_ulong type = 0, local = 0, memory = 0;
    cl_uint units = 0;
    size_t items = 0;
    cl.GetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    cl.GetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL);
    cl.GetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    cl.GetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    *t = (device_traits){.is_processor = type & CL_DEVICE_TYPE_CPU,
                         .keeps_kernels = opencl_platform_is(c->place.platform, "PoCL"),
                         .units = (int)units,
                         .group_items = items < 65536 ? (int)items : 65536,
                         .memory = memory,
                         .group_memory = local,
                         .group_memory_default = local,
                         .has_double = c->has_double};
    chips_describe(t, c->name, 0);
}

static void describe(void *context, argand_device_info *info)
{
    const opencl_context *c = context;
    const cl_device device = c->place.device;
    char platform[64] = "", version[64], driver[64], language[64];
    cl.GetPlatformInfo(c->place.platform, CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
    opencl_device_text(device, CL_DEVICE_VERSION, version, sizeof version);
    opencl_device_text(device, CL_DRIVER_VERSION, driver, sizeof driver);
    opencl_device_text(device, CL_DEVICE_OPENCL_C_VERSION, language, sizeof language);
    snprintf(info->name, sizeof info->name, "%s", c->name);
    snprintf(info->backend, sizeof info->backend, "opencl");
    snprintf(info->detail, sizeof info->detail, "%s, %s, driver %s, %s%s", platform, version, driver,
             language, c->has_double ? "" : ", no double");
}

static int items(void *context)
{
    return ((const opencl_context *)context)->items;
}

static argand_status finish(void *context)
{
    opencl_context *c = context;
    return opencl_check(c, cl.Finish(c->queue), "earlier work failed");
}

static void *native(void *context, void *memory)
{
    (void)context;
    return ((opencl_memory *)memory)->memory;
}

static argand_status native_enter(void *context, void **stream)
{
    *stream = ((opencl_context *)context)->queue;
    return ARGAND_OK;
}

extern const backend backend_opencl;
const backend backend_opencl = {
    .name = "opencl",
    .count = opencl_platforms_count,
    .open = open,
    .close = close,
    .describe = describe,
    .traits = traits,
    .use_stream = use_stream,
    .alloc = opencl_alloc,
    .free = opencl_free,
    .handles = true,
    .wrap = opencl_wrap,
    .native = native,
    .native_enter = native_enter,
    .upload = opencl_upload,
    .download = opencl_download,
    .copy = opencl_copy,
    .fill = opencl_fill,
    .items = items,
    .build = opencl_build,
    .discard = opencl_discard,
    .launch = opencl_launch,
    .needs = opencl_needs,
    .wait = finish,
    .event_new = opencl_event_new,
    .event_free = opencl_event_free,
    .event_record = opencl_event_record,
    .event_between = opencl_event_between,
};
