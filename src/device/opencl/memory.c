/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of an OpenCL device. */
#include "base/memory.h"
#include "device/opencl/context.h"

static argand_status adopt(cl_mem buffer, void **memory)
{
    opencl_memory *m;
    TRY(NEW(m, 1));
    m->memory = buffer;
    *memory = m;
    return ARGAND_OK;
}

argand_status opencl_alloc(void *context, size_t bytes, void **memory)
{
    opencl_context *c = context;
    cl_int error = 0;
    cl_ulong most = 0;
    const cl_mem buffer = cl.CreateBuffer(c->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &error);
    if (error) cl.GetDeviceInfo(c->place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    TRY(opencl_check(c, error, "no memory for %zu bytes (%.1f GB); its largest buffer has %.1f GB", bytes,
                     (double)bytes * 1e-9, (double)most * 1e-9));
    const argand_status status = adopt(buffer, memory);
    if (status != ARGAND_OK) cl.ReleaseMemObject(buffer);
    return status;
}

/* Frees a buffer. Earlier work keeps it alive until that work has ended. */
void opencl_free(void *context, void *memory)
{
    (void)context;
    opencl_memory *m = memory;
    cl.ReleaseMemObject(m->memory);
    memory_free(m);
}

/* Wraps a caller's buffer. A buffer belongs to one context, so this works only for devices that use the
 * caller's context. Otherwise the pointer is not accessed, because it may be invalid. */
argand_status opencl_wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    opencl_context *c = context;
    const cl_mem buffer = pointer;
    cl_context owner = NULL;
    size_t held = 0;
    CHECK(c->foreign, ARGAND_UNSUPPORTED,
          "opencl:%d (%s): only a cl_mem can be wrapped, on a device opened with your command queue "
          "(argand_device_open_stream); for host memory create an array and upload to it",
          c->index, c->name);
    TRY(opencl_check(c, cl.GetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof owner, &owner, NULL),
                     "what was given to wrap is not a cl_mem"));
    CHECK(owner == c->context, ARGAND_ARGUMENT,
          "opencl:%d (%s): the cl_mem to wrap is of another context than the device's queue", c->index,
          c->name);
    TRY(opencl_check(c, cl.GetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof held, &held, NULL),
                     "the size of a cl_mem is not known"));
    CHECK(bytes <= held, ARGAND_ARGUMENT, "opencl:%d (%s): the cl_mem to wrap has %zu bytes, %zu are needed",
          c->index, c->name, held, bytes);
    TRY(adopt(buffer, memory));
    cl.RetainMemObject(buffer);
    return ARGAND_OK;
}

argand_status opencl_copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    opencl_context *c = context;
    if (!bytes) return ARGAND_OK;
    return opencl_check(c,
                        cl.EnqueueCopyBuffer(c->queue, ((opencl_memory *)from)->memory,
                                             ((opencl_memory *)to)->memory, from_at, to_at, bytes, 0, NULL,
                                             NULL),
                        "copying %zu bytes", bytes);
}

/* Fills memory with the widest pattern that offset and size allow, because single bytes are slow. */
argand_status opencl_fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    opencl_context *c = context;
    unsigned char pattern[16];
    size_t width = sizeof pattern;
    if (!bytes) return ARGAND_OK;
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = value;
    while ((at | bytes) % width) width /= 2;
    return opencl_check(c,
                        cl.EnqueueFillBuffer(c->queue, ((opencl_memory *)memory)->memory, pattern, width, at,
                                             bytes, 0, NULL, NULL),
                        "filling %zu bytes", bytes);
}
