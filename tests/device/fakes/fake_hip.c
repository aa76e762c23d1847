/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fake libamdhip64.so.7 has besides fake_gpu.c: the current device, properties, names of errors.
 * With FAKE_HIP_EXECUTES kernels run: their "code" is their text, which stand_in.c compiles by PoCL. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/hip/driver.h"
#include "fake_blocks.h"
#include "fake_inside.h"
#include "device/stand_in.h"

const struct fake_executor *fake_executor;
static _Thread_local int current;

#define DECLARE(name, symbol, result, parameters) EXPORT result fake##name parameters __asm__(symbol);
HIP_FUNCTIONS(DECLARE)
HIP_OPTIONAL_FUNCTIONS(DECLARE)

/* A kernel, and the size of its last argument, the struct. */
struct sized_kernel {
    stand_in_kernel *kernel;
    size_t bytes;
};

static stand_in_kernel *build_one(const char *text, const char *name)
{
    char log[4096];
    stand_in_kernel *kernel;
    if (stand_in_build(text, name, "-cl-std=CL1.2", &kernel, log, sizeof log)) return kernel;
    fprintf(stderr, "fake_hip: %s: %s\n", name, log);
    return NULL;
}

/* The name of the kernel's struct: behind its own name, or the last one of the text if macros make that. */
static const char *struct_of(const char *text, const char *name)
{
    static const char word[] = "PARAMS(";
    char head[96];
    snprintf(head, sizeof head, "void %s(", name);
    const char *found = NULL, *from = strstr(text, head);
    for (const char *at = strstr(from ? from : text, word); at; at = strstr(at + 1, word)) {
        found = at + strlen(word);
        if (from) break;
    }
    return found;
}

/* Compiles a kernel that says the size of the struct: the driver's call does not. */
static char *with_size(const char *text, const char *type)
{
    const size_t size = strlen(text) + 200;
    char *both = malloc(size);
    snprintf(both, size, "%s\n__kernel void fake_size(__global int *y) { *y = (int)sizeof(struct %.*s); }\n",
             text, (int)strcspn(type, ")"), type);
    return both;
}

static size_t size_of(const char *text)
{
    stand_in_kernel *kernel = build_one(text, "fake_size");
    int *bytes = stand_in_alloc(sizeof *bytes), size = 0;
    if (kernel && bytes && !stand_in_launch(kernel, 1, 1, (void *[]){bytes}, 1, NULL, 0)) size = *bytes;
    stand_in_free(bytes);
    stand_in_release(kernel);
    return (size_t)size;
}

/* The same, asked once for each struct: only those of accessors depend on a kernel's macros. */
static size_t known_size_of(const char *text, const char *type)
{
    enum { MOST_TYPES = 64 };
    static struct {
        char name[64];
        size_t bytes;
    } known[MOST_TYPES];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char name[64];
    int i = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(type, ")"), type);
    if (strstr(name, "access")) return size_of(text);
    pthread_mutex_lock(&lock);
    while (i < MOST_TYPES - 1 && *known[i].name && strcmp(known[i].name, name)) i++;
    if (!*known[i].name) {
        known[i].bytes = size_of(text);
        memcpy(known[i].name, name, sizeof name);
    }
    pthread_mutex_unlock(&lock);
    return known[i].bytes;
}

static void release(void *kernel)
{
    struct sized_kernel *k = kernel;
    stand_in_release(k->kernel);
    free(k);
}

static void *build(const char *text, const char *name)
{
    const char *type = struct_of(text, name);
    char *both = type ? with_size(text, type) : strdup(text);
    struct sized_kernel *k = calloc(1, sizeof *k);
    k->kernel = build_one(both, name);
    if (k->kernel && type) k->bytes = known_size_of(both, type);
    free(both);
    if (k->kernel && (!type || k->bytes)) return k;
    release(k);
    return NULL;
}

static int start(void *kernel, unsigned int groups, int items, void **arguments)
{
    enum { MOST_BUFFERS = 32 };
    const struct sized_kernel *k = kernel;
    void *buffers[MOST_BUFFERS];
    const int count = stand_in_arguments(k->kernel) - (k->bytes > 0);
    if (count < 0 || count > MOST_BUFFERS) return 1;
    for (int i = 0; i < count; i++) memcpy(&buffers[i], arguments[i], sizeof *buffers);
    return stand_in_launch(k->kernel, groups, items, buffers, count, arguments[count], k->bytes) ? 719 : 0;
}

static const struct fake_executor executor = {.build = build, .release = release, .start = start};

void fake_open(void)
{
    if (!getenv("FAKE_HIP_EXECUTES")) return;
    const char *missing = stand_in_missing();
    if (*missing) {
        fprintf(stderr, "fake_hip: %s\n", missing);
        setenv("FAKE_CUDA_DEVICES", "0", 1);
    } else {
        fake_executor = &executor;
        block_use(stand_in_alloc, stand_in_free);
        fake.free_bytes = (size_t)8 << 30;
    }
}

int fake_current(void)
{
    return current;
}

int fake_attribute(int attribute, int device)
{
    const char *wave = getenv("FAKE_HIP_WAVE");
    switch (attribute) {
    case hipDeviceAttributeMultiprocessorCount:
        return 104;
    case hipDeviceAttributeWarpSize:
        return wave ? atoi(wave) : 64;
    case hipDeviceAttributeMaxThreadsPerBlock:
        return 1024;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
        return 2048;
    case hipDeviceAttributeMaxRegistersPerBlock:
        return 65536;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
        return 65536;
    case hipDeviceAttributeMemoryPoolsSupported:
        return device == 0;
    default:
        return -1;
    }
}

const char *fakeGetErrorName(gpu_result error)
{
    return error == 2 ? "hipErrorOutOfMemory" : error == 100 ? "hipErrorNoDevice" : "hipErrorFake";
}
const char *fakeGetErrorString(gpu_result error)
{
    return error == 2 ? "out of memory" : "so the test wants it";
}
gpu_result fakeGetDevice(int *device)
{
    ENTER;
    return *device = current, 0;
}
gpu_result fakeSetDevice(int device)
{
    ENTER;
    return current = device, 0;
}
gpu_result fakeMemcpyAsync(gpu_address to, gpu_address from, size_t bytes, int direction, gpu_stream stream)
{
    CURRENT;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return (void)stream, COUNT(direct_copies, 1), direction != hipMemcpyDefault;
}
/* Where the chip's name is: in ROCm 5, in ROCm 6. */
static gpu_result describe(char *properties, int device, int at)
{
    snprintf(properties, 256, "Fake %d", device);
    strcpy(properties + at, "gfx90a:sramecc+:xnack-");
    return 0;
}
gpu_result fakeGetDeviceProperties(void *properties, int device)
{
    ENTER;
    return describe(properties, device, 396);
}
gpu_result fakeGetDevicePropertiesR0600(void *properties, int device)
{
    ENTER;
    return describe(properties, device, 1160);
}
gpu_result fakeStreamGetDevice(gpu_stream stream, int *device)
{
    CURRENT;
    return *device = stream->is_other ? stream->device + 1 : stream->device, 0;
}
