/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements what CUDA alone has under a stream and a launch: the primary context, the target of NVRTC,
 * shared memory on request, clusters, launches that overlap. */
#include <pthread.h>
#include <stdio.h>
#include "device/cuda/context.h"
#include "device/cuda/nvrtc.h"

enum { SHARED_BY_DEFAULT = 48 << 10 };

static argand_status find_capability(cuda_context *c)
{
    int major = 0, minor = 0;
    gpu_context *g = &c->common;
    TRY(gpu_check(
        g, g->call->DeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, g->device),
        "its compute capability is not known"));
    TRY(gpu_check(
        g, g->call->DeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, g->device),
        "its compute capability is not known"));
    c->capability = 10 * major + minor;
    return ARGAND_OK;
}

static argand_status open(gpu_context *g)
{
    cuda_context *c = (cuda_context *)g;
    int driver = 0;
    device_traits t;
    TRY(find_capability(c));
    if (cu.common.DriverGetVersion(&driver)) driver = 0;
    cuda_traits(c, &t);
    g->overlaps = t.overlaps && driver >= 12030 && cu.LaunchKernelEx; /* 12.3: can also be captured */
    return gpu_check(g, cu.DevicePrimaryCtxRetain(&c->primary, g->device), "it cannot be opened");
}

static void close(gpu_context *g)
{
    cu.DevicePrimaryCtxRelease(g->device);
}

static gpu_result push(const gpu_context *g)
{
    return cu.CtxPushCurrent(((const cuda_context *)g)->primary);
}

static void pop(const gpu_context *g)
{
    CUcontext ours;
    (void)g;
    cu.CtxPopCurrent(&ours);
}

static void error_text(gpu_result result, char *reason, size_t size)
{
    const char *name = NULL, *text = NULL;
    if (cu.GetErrorName(result, &name) || !name) name = "an error without a name";
    if (cu.GetErrorString(result, &text) || !text) text = "no explanation";
    snprintf(reason, size, "%s (%d: %s)", name, result, text);
}

static argand_status check_stream(const gpu_context *g, gpu_stream stream)
{
    const CUcontext primary = ((const cuda_context *)g)->primary;
    CUcontext owner = primary;
    TRY(gpu_check(g, stream ? cu.StreamGetCtx(stream, &owner) : 0, "the stream that was given is not one"));
    CHECK(
        owner == primary, ARGAND_ARGUMENT,
        "cuda:%d (%s): the stream belongs to another context; give one of the device's primary context (the "
        "CUDA runtime's streams are)",
        g->index, g->name);
    return ARGAND_OK;
}

static gpu_result copy_known(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream)
{
    return cu.MemcpyAsync(to, from, bytes, stream);
}

static argand_status compile(const gpu_context *g, const kernel_source *source, unsigned char **bytes,
                             size_t *count)
{
    char architecture[32];
    const char *reason;
    CHECK(nvrtc_open(&reason), ARGAND_BUILD, "cuda:%d (%s): kernel \"%s\": %s", g->index, g->name,
          source->key, reason);
    TRY(nvrtc_architecture(((const cuda_context *)g)->capability, architecture, sizeof architecture));
    return nvrtc_compile(source, architecture, bytes, count);
}

/* Requests clusters of more than 8 groups, which not every chip supports. Drivers without clusters return
 * an error, which the launch reports. */
static void allow_large_cluster(gpu_kernel *k)
{
    enum { PORTABLE = 8 };
    int groups = 0;
    if (!cu.common.FuncGetAttribute(&groups, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, k->function) &&
        groups > PORTABLE)
        cu.FuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

/* Requests shared memory. The kernel's static arrays count too. */
static argand_status request_shared(const gpu_context *g, gpu_kernel *k, size_t bytes)
{
    int most = 0;
    const size_t all = k->own_shared + bytes;
    TRY(gpu_check(
        g,
        g->call->DeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, g->device),
        "its shared memory is not known"));
    CHECK(all <= (size_t)most, ARGAND_UNSUPPORTED,
          "cuda:%d (%s): kernel \"%s\" wants %zu bytes of shared memory, a group has %d", g->index, g->name,
          k->key, all, most);
    TRY(gpu_check(
        g, cu.FuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes),
        "kernel \"%s\" cannot have %zu bytes of shared memory", k->key, bytes));
    atomic_store(&k->shared_bytes, bytes);
    return ARGAND_OK;
}

/* Requests more than 48 KB of shared memory, once per size. The lock keeps a thread that wants less from
 * lowering what another has requested. */
static argand_status raise_shared(const gpu_context *g, gpu_kernel *k, size_t bytes)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (k->own_shared + bytes <= SHARED_BY_DEFAULT || bytes <= atomic_load(&k->shared_bytes))
        return ARGAND_OK;
    pthread_mutex_lock(&lock);
    const argand_status status =
        bytes <= atomic_load(&k->shared_bytes) ? ARGAND_OK : request_shared(g, k, bytes);
    pthread_mutex_unlock(&lock);
    return status;
}

/* Launches a kernel that overlaps with its neighbours. It may start once all groups of the previous launch
 * have signalled; the next launch may do the same after this one. Other work in between (copies, events,
 * other launches) completes first. */
static gpu_result launch_early(const gpu_context *g, const kernel_launch *l, gpu_arguments *with)
{
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                   .value = {.allowed = 1}};
    const CUlaunchConfig config = {.groups = {(unsigned int)l->groups, 1, 1},
                                   .items = {(unsigned int)l->items, 1, 1},
                                   .shared_bytes = (unsigned int)l->shared_bytes,
                                   .stream = g->stream,
                                   .attributes = &attribute,
                                   .attribute_count = 1};
    return cu.LaunchKernelEx(&config, with->function, with->pointers, NULL);
}

const gpu_vendor cuda_vendor = {
    .name = "cuda",
    .title = "CUDA",
    .maker = "NVIDIA",
    .slot = 0,
    .context_bytes = sizeof(cuda_context),
    .driver = &cu.common,
    .numbers = {.units = CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                .wave = CU_DEVICE_ATTRIBUTE_WARP_SIZE,
                .group_items = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                .items_of_unit = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                .registers = CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
                .group_memory = CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                .pools = CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED},
    .open = open,
    .close = close,
    .push = push,
    .pop = pop,
    .error_text = error_text,
    .check_stream = check_stream,
    .copy_known = copy_known,
    .compile = compile,
    .prepare = allow_large_cluster,
    .raise_shared = raise_shared,
    .launch_early = launch_early,
};
