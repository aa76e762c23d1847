/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds kernels of an OpenCL device: its driver compiles the text or loads an earlier binary. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/opencl/context.h"
#include "device/drivers/report.h"

typedef struct opencl_kernel {
    cl_program program;
    cl_kernel kernel;
    pthread_mutex_t lock; /* one thread at a time sets arguments and starts the kernel */
    int items;
    char key[];
} opencl_kernel;

static argand_status refuse(opencl_context *c, const kernel_source *source, cl_program program, cl_int error)
{
    size_t size = 0;
    char *log = NULL, code[64];
    const cl_device device = c->place.device;
    if (!cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) && size &&
        memory_new(&log, size + 1, 1) == ARGAND_OK)
        cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    opencl_error_text(error, code, sizeof code);
    const argand_status status =
        status_set(ARGAND_BUILD, "opencl:%d (%s): kernel \"%s\" cannot be built: %s\n%.1500s", c->index,
                   c->name, source->key, code, report_first_error(log));
    memory_free(log);
    return status;
}

/* Gets the kernel from its program. Refuses it if the device does not allow groups of its size. */
static argand_status take_kernel(opencl_context *c, const kernel_source *source, opencl_kernel *k)
{
    cl_int error = 0;
    size_t most = 0;
    k->kernel = cl.CreateKernel(k->program, source->name, &error);
    TRY(opencl_check(c, error, "kernel \"%s\" is not in its program", source->key));
    TRY(opencl_check(c,
                     cl.GetKernelWorkGroupInfo(k->kernel, c->place.device, CL_KERNEL_WORK_GROUP_SIZE,
                                               sizeof most, &most, NULL),
                     "kernel \"%s\": its group size is not known", source->key));
    CHECK((size_t)source->items <= most, ARGAND_UNSUPPORTED,
          "opencl:%d (%s): kernel \"%s\" wants groups of %d, the device allows %zu", c->index, c->name,
          source->key, source->items, most);
    return ARGAND_OK;
}

static void forget(opencl_kernel *k)
{
    if (k->kernel) cl.ReleaseKernel(k->kernel);
    if (k->program) cl.ReleaseProgram(k->program);
    k->kernel = NULL;
    k->program = NULL;
}

static argand_status compile(opencl_context *c, const kernel_source *source, opencl_kernel *k)
{
    cl_int error = 0;
    const char *text = source->text;
    k->program = cl.CreateProgramWithSource(c->context, 1, &text, NULL, &error);
    TRY(opencl_check(c, error, "kernel \"%s\"", source->key));
    error = cl.BuildProgram(k->program, 1, &c->place.device, c->options, NULL, NULL);
    return error ? refuse(c, source, k->program, error) : take_kernel(c, source, k);
}

/* Loads an earlier binary. Returns false if the driver refuses it: the text is then compiled. */
static bool load(opencl_context *c, const kernel_source *source, const kernel_binary *binary,
                 opencl_kernel *k)
{
    cl_int error = 0, status = 0;
    const unsigned char *bytes = binary->bytes;
    if (!bytes) return false;
    k->program =
        cl.CreateProgramWithBinary(c->context, 1, &c->place.device, &binary->count, &bytes, &status, &error);
    if (!error && !status && !cl.BuildProgram(k->program, 1, &c->place.device, c->options, NULL, NULL) &&
        take_kernel(c, source, k) == ARGAND_OK)
        return true;
    forget(k);
    return false;
}

/* Copies the driver's binary for the cache. Without it, the next program compiles the kernel again. */
static void hand_out(const opencl_kernel *k, kernel_binary *binary)
{
    size_t count = 0;
    unsigned char *bytes;
    if (cl.GetProgramInfo(k->program, CL_PROGRAM_BINARY_SIZES, sizeof count, &count, NULL) || !count) return;
    if (memory_new(&bytes, count, 1) != ARGAND_OK) return;
    if (cl.GetProgramInfo(k->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL)) {
        memory_free(bytes);
        return;
    }
    memory_free(binary->bytes);
    *binary = (kernel_binary){.bytes = bytes, .count = count, .fresh = true};
}

argand_status opencl_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel)
{
    opencl_context *c = context;
    opencl_kernel *k;
    const size_t length = strlen(source->key);
    CHECK(source->items <= c->items_most, ARGAND_UNSUPPORTED,
          "opencl:%d (%s): kernel \"%s\" wants groups of %d, the device allows %d", c->index, c->name,
          source->key, source->items, c->items_most);
    TRY(memory_new(&k, 1, sizeof *k + length + 1));
    memcpy(k->key, source->key, length + 1);
    k->items = source->items;
    if (!load(c, source, binary, k)) {
        const argand_status status = compile(c, source, k);
        if (status != ARGAND_OK) {
            forget(k);
            memory_free(k);
            return status;
        }
        if (!binary->unwanted) hand_out(k, binary);
    }
    pthread_mutex_init(&k->lock, NULL);
    *kernel = k;
    return ARGAND_OK;
}

void opencl_discard(void *context, void *kernel)
{
    (void)context;
    opencl_kernel *k = kernel;
    forget(k);
    pthread_mutex_destroy(&k->lock);
    memory_free(k);
}

static cl_int start(const opencl_context *c, const opencl_kernel *k, const kernel_launch *l)
{
    const size_t group = (size_t)l->items, items = (size_t)l->groups * group;
    cl_int error = 0;
    cl_uint slot = 0;
    for (; (int)slot < l->memory_count && !error; slot++)
        error = cl.SetKernelArg(k->kernel, slot, sizeof(cl_mem), &((opencl_memory *)l->memory[slot])->memory);
    if (!error && l->params_bytes) error = cl.SetKernelArg(k->kernel, slot, l->params_bytes, l->params);
    return error ? error
                 : cl.EnqueueNDRangeKernel(c->queue, k->kernel, 1, NULL, &items, &group, 0, NULL, NULL);
}

argand_status opencl_launch(void *context, const kernel_launch *l)
{
    opencl_context *c = context;
    opencl_kernel *k = l->kernel;
    if (l->groups < 1) return ARGAND_OK;
    CHECK(!l->shared_bytes, ARGAND_UNSUPPORTED, "opencl:%d (%s): kernel \"%s\" wants dynamic shared memory",
          c->index, c->name, k->key);
    CHECK(l->groups <= INT32_MAX, ARGAND_UNSUPPORTED,
          "opencl:%d (%s): kernel \"%s\": %lld groups are too many", c->index, c->name, k->key,
          (long long)l->groups);
    pthread_mutex_lock(&k->lock);
    const cl_int error = start(c, k, l);
    pthread_mutex_unlock(&k->lock);
    return opencl_check(c, error, "kernel \"%s\" cannot be started with %lld groups of %d", k->key,
                        (long long)l->groups, l->items);
}

/* Reports only the memory that a launch needs, as OpenCL reports nothing else. */
argand_status opencl_needs(void *context, const kernel_launch *launch, kernel_needs *needs)
{
    opencl_context *c = context;
    const opencl_kernel *k = launch->kernel;
    cl_ulong shared = 0;
    *needs = (kernel_needs){0};
    TRY(opencl_check(c,
                     cl.GetKernelWorkGroupInfo(k->kernel, c->place.device, CL_KERNEL_LOCAL_MEM_SIZE,
                                               sizeof shared, &shared, NULL),
                     "kernel \"%s\": its memory is not known", k->key));
    needs->shared = (size_t)shared;
    return ARGAND_OK;
}
