/* SPDX-License-Identifier: BSD-3-Clause */
/* The executor behind fake drivers: OpenCL 2.0 with shared virtual memory, as PoCL has it on processors.
 * Addresses of the host are addresses of the device there. */
#include "stand_in.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FUNCTION(name, result, parameters): handles are pointers, as in cl.h. */
#define STAND_IN_FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(GetPlatformIDs, int, (unsigned int, void **, unsigned int *))                                  \
    FUNCTION(GetPlatformInfo, int, (void *, unsigned int, size_t, void *, size_t *))                        \
    FUNCTION(GetDeviceIDs, int, (void *, uint64_t, unsigned int, void **, unsigned int *))                  \
    FUNCTION(CreateContext, void *, (const void *, unsigned int, void **, void *, void *, int *))           \
    FUNCTION(CreateCommandQueue, void *, (void *, void *, uint64_t, int *))                                 \
    FUNCTION(SVMAlloc, void *, (void *, uint64_t, size_t, unsigned int))                                    \
    FUNCTION(SVMFree, void, (void *, void *))                                                               \
    FUNCTION(CreateProgramWithSource, void *, (void *, unsigned int, const char **, const size_t *, int *)) \
    FUNCTION(BuildProgram, int, (void *, unsigned int, void **, const char *, void *, void *))              \
    FUNCTION(GetProgramBuildInfo, int, (void *, void *, unsigned int, size_t, void *, size_t *))            \
    FUNCTION(ReleaseProgram, int, (void *))                                                                 \
    FUNCTION(CreateKernel, void *, (void *, const char *, int *))                                           \
    FUNCTION(ReleaseKernel, int, (void *))                                                                  \
    FUNCTION(SetKernelArg, int, (void *, unsigned int, size_t, const void *))                               \
    FUNCTION(GetKernelInfo, int, (void *, unsigned int, size_t, void *, size_t *))                          \
    FUNCTION(SetKernelArgSVMPointer, int, (void *, unsigned int, const void *))                             \
    FUNCTION(EnqueueNDRangeKernel, int,                                                                     \
             (void *, void *, unsigned int, const size_t *, const size_t *, const size_t *, unsigned int,   \
              const void *, void *))                                                                        \
    FUNCTION(Finish, int, (void *))

#define MEMBER(name, result, parameters) result(*name) parameters;
static struct {
    STAND_IN_FUNCTIONS(MEMBER)
} cl;

enum {
    PLATFORM_NAME = 0x0902,
    BUILD_LOG = 0x1183,
    KERNEL_NUM_ARGS = 0x1191,
    DEVICE_TYPE_CPU = 2,
    MEM_READ_WRITE = 1,
    SVM_FINE = 1024
};

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* clSetKernelArg is not safe between threads */
static void *context, *queue, *device;
static char missing[128];

struct stand_in_kernel {
    void *program, *kernel;
};

static bool load_functions(void *library)
{
    bool all = true;
#define LOAD(name, result, parameters)              \
    {                                               \
        void *address = dlsym(library, "cl" #name); \
        memcpy(&cl.name, &address, sizeof address); \
        all = all && address;                       \
    }
    STAND_IN_FUNCTIONS(LOAD)
    return all;
}

static bool find_device(void)
{
    void *platforms[16];
    unsigned int count = 0;
    if (cl.GetPlatformIDs(16, platforms, &count)) return false;
    for (unsigned int i = 0; i < count && i < 16; i++) {
        char name[64] = "";
        cl.GetPlatformInfo(platforms[i], PLATFORM_NAME, sizeof name - 1, name, NULL);
        if (strstr(name, "Portable Computing Language") &&
            !cl.GetDeviceIDs(platforms[i], DEVICE_TYPE_CPU, 1, &device, NULL))
            return true;
    }
    return false;
}

static void open_device(void)
{
    int error = 0;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !load_functions(library)) {
        snprintf(missing, sizeof missing, "libOpenCL.so.1 is missing (Debian: ocl-icd-libopencl1)");
        return;
    }
    if (!find_device()) {
        snprintf(missing, sizeof missing, "PoCL is missing (Debian: pocl-opencl-icd)");
        return;
    }
    context = cl.CreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (context) queue = cl.CreateCommandQueue(context, device, 0, &error);
    if (!queue) snprintf(missing, sizeof missing, "PoCL cannot be opened: error %d", error);
}

const char *stand_in_missing(void)
{
    pthread_once(&opened, open_device);
    return missing;
}

void *stand_in_alloc(size_t bytes)
{
    if (*stand_in_missing()) return NULL;
    return cl.SVMAlloc(context, MEM_READ_WRITE, bytes ? bytes : 1, 0);
}

void stand_in_free(void *memory)
{
    if (memory) cl.SVMFree(context, memory);
}

bool stand_in_build(const char *text, const char *name, const char *options, stand_in_kernel **kernel,
                    char *log, size_t log_bytes)
{
    int error = 0;
    snprintf(log, log_bytes, "%s", stand_in_missing());
    stand_in_kernel *k = *log ? NULL : calloc(1, sizeof *k);
    if (!k) return false;
    k->program = cl.CreateProgramWithSource(context, 1, &text, NULL, &error);
    if (k->program) error = cl.BuildProgram(k->program, 1, &device, options, NULL, NULL);
    if (!error) k->kernel = cl.CreateKernel(k->program, name, &error);
    if (k->kernel) {
        *kernel = k;
        return true;
    }
    const int used = snprintf(log, log_bytes, "kernel %s: OpenCL error %d\n", name, error);
    if (k->program && used > 0 && (size_t)used < log_bytes)
        cl.GetProgramBuildInfo(k->program, device, BUILD_LOG, log_bytes - (size_t)used, log + used, NULL);
    stand_in_release(k);
    return false;
}

void stand_in_release(stand_in_kernel *k)
{
    if (!k) return;
    if (k->kernel) cl.ReleaseKernel(k->kernel);
    if (k->program) cl.ReleaseProgram(k->program);
    free(k);
}

int stand_in_arguments(const stand_in_kernel *k)
{
    unsigned int count = 0;
    return cl.GetKernelInfo(k->kernel, KERNEL_NUM_ARGS, sizeof count, &count, NULL) ? 0 : (int)count;
}

static int start(const stand_in_kernel *k, int64_t groups, int items, void *const *buffers, int count,
                 const void *params, size_t bytes)
{
    const size_t group = (size_t)items, all = (size_t)groups * group;
    int error = 0;
    for (int i = 0; i < count && !error; i++)
        error = cl.SetKernelArgSVMPointer(k->kernel, (unsigned int)i, buffers[i]);
    if (!error && bytes) error = cl.SetKernelArg(k->kernel, (unsigned int)count, bytes, params);
    if (!error) error = cl.EnqueueNDRangeKernel(queue, k->kernel, 1, NULL, &all, &group, 0, NULL, NULL);
    return error ? error : cl.Finish(queue);
}

int stand_in_launch(const stand_in_kernel *k, int64_t groups, int items, void *const *buffers, int count,
                    const void *params, size_t bytes)
{
    if (groups < 1) return 0;
    pthread_mutex_lock(&starting);
    const int error = start(k, groups, items, buffers, count, params, bytes);
    pthread_mutex_unlock(&starting);
    return error;
}
