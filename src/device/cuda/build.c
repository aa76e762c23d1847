/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds kernels of a CUDA device: compiles them with NVRTC for its chip, or loads earlier binaries. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/cuda/context.h"
#include "device/cuda/nvrtc.h"

typedef struct cuda_kernel {
    CUmodule module;
    CUfunction function;
    size_t own_shared;          /* bytes of its static arrays */
    atomic_size_t shared_bytes; /* most dynamic shared memory requested so far */
    char key[];
} cuda_kernel;

enum { MOST_ITEMS = 1024, SHARED_BY_DEFAULT = 48 << 10 };

/* Requests clusters of more than 8 groups, which not every chip supports. Drivers without clusters return
 * an error, which the launch reports. */
static void allow_large_cluster(const cuda_kernel *k)
{
    enum { PORTABLE = 8 };
    int groups = 0;
    if (!cu.FuncGetAttribute(&groups, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, k->function) &&
        groups > PORTABLE)
        cu.FuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

static argand_status find_own_shared(const cuda_context *c, const kernel_source *source, cuda_kernel *k)
{
    int bytes = 0;
    const CUresult result = cu.FuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k->function);
    k->own_shared = (size_t)bytes;
    return cuda_check(c, result, "what shared memory kernel \"%s\" has is not known", source->key);
}

static argand_status find(const cuda_context *c, const kernel_source *source, cuda_kernel *k)
{
    TRY(cuda_check(c, cu.ModuleGetFunction(&k->function, k->module, source->name),
                   "kernel \"%s\" is not in its program", source->key));
    allow_large_cluster(k);
    return find_own_shared(c, source, k);
}

static argand_status load(const cuda_context *c, const kernel_source *source, const void *image,
                          cuda_kernel *k)
{
    TRY(cuda_check(c, cu.ModuleLoadData(&k->module, image), "kernel \"%s\" cannot be loaded", source->key));
    const argand_status status = find(c, source, k);
    if (status != ARGAND_OK) {
        cu.ModuleUnload(k->module);
        k->module = NULL;
    }
    return status;
}

static argand_status compile_and_load(const cuda_context *c, const kernel_source *source,
                                      kernel_binary *binary, cuda_kernel *k)
{
    char architecture[32];
    const char *reason;
    unsigned char *bytes;
    size_t count = 0;
    CHECK(nvrtc_open(&reason), ARGAND_BUILD, "cuda:%d (%s): kernel \"%s\": %s", c->index, c->name,
          source->key, reason);
    TRY(nvrtc_architecture(c->capability, architecture, sizeof architecture));
    TRY(nvrtc_compile(source, architecture, &bytes, &count));
    const argand_status status = load(c, source, bytes, k);
    if (status != ARGAND_OK) {
        memory_free(bytes);
        return status;
    }
    memory_free(binary->bytes);
    *binary = (kernel_binary){.bytes = bytes, .count = count, .fresh = true};
    return ARGAND_OK;
}

/* Loads the kernel's binary; compiles the text if there is none or the driver refuses it. */
static argand_status build(const cuda_context *c, const kernel_source *source, kernel_binary *binary,
                           cuda_kernel *k)
{
    const argand_status status = binary->bytes ? load(c, source, binary->bytes, k) : ARGAND_BUILD;
    return status != ARGAND_OK ? compile_and_load(c, source, binary, k) : status;
}

argand_status cuda_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel)
{
    cuda_context *c = context;
    cuda_kernel *k;
    const size_t length = strlen(source->key);
    TRY(memory_new(&k, 1, sizeof *k + length + 1));
    memcpy(k->key, source->key, length + 1);
    argand_status status = cuda_enter(c);
    if (status == ARGAND_OK) {
        status = cuda_refuse_captured(c, "no kernel can be loaded");
        if (status == ARGAND_OK) status = build(c, source, binary, k);
        cuda_leave(status);
    }
    if (status != ARGAND_OK) {
        memory_free(k);
        return status;
    }
    *kernel = k;
    return ARGAND_OK;
}

void cuda_discard(void *context, void *kernel)
{
    cuda_kernel *k = kernel;
    const bool entered = cuda_enter_to_free(context);
    cu.ModuleUnload(k->module);
    cuda_leave_freed(entered);
    memory_free(k);
}

/* Requests more than 48 KB of shared memory, once per size. The kernel's static arrays count too. */
static argand_status raise_shared(const cuda_context *c, cuda_kernel *k, size_t bytes)
{
    int most = 0;
    const size_t all = k->own_shared + bytes;
    if (all <= SHARED_BY_DEFAULT || bytes <= atomic_load(&k->shared_bytes)) return ARGAND_OK;
    TRY(cuda_check(
        c, cu.DeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, c->device),
        "its shared memory is not known"));
    CHECK(all <= (size_t)most, ARGAND_UNSUPPORTED,
          "cuda:%d (%s): kernel \"%s\" wants %zu bytes of shared memory, a group has %d", c->index, c->name,
          k->key, all, most);
    TRY(cuda_check(
        c, cu.FuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes),
        "kernel \"%s\" cannot have %zu bytes of shared memory", k->key, bytes));
    atomic_store(&k->shared_bytes, bytes);
    return ARGAND_OK;
}

argand_status cuda_pass(cuda_arguments *to, const cuda_context *c, const kernel_launch *l)
{
    cuda_kernel *k = l->kernel;
    CHECK(l->memory_count <= CUDA_MOST_ARGUMENTS, ARGAND_INTERNAL, "%s: %d buffers", k->key, l->memory_count);
    CHECK(l->items <= MOST_ITEMS, ARGAND_UNSUPPORTED,
          "cuda:%d (%s): kernel \"%s\": groups of %d items; %d is the most", c->index, c->name, k->key,
          l->items, MOST_ITEMS);
    CHECK(l->groups <= INT32_MAX, ARGAND_UNSUPPORTED, "cuda:%d (%s): kernel \"%s\": %lld groups are too many",
          c->index, c->name, k->key, (long long)l->groups);
    to->function = k->function;
    for (int i = 0; i < l->memory_count; i++) {
        to->addresses[i] = ((const cuda_memory *)l->memory[i])->address;
        to->pointers[i] = &to->addresses[i];
    }
    to->pointers[l->memory_count] = (void *)(uintptr_t)l->params;
    return raise_shared(c, k, l->shared_bytes);
}

/* Launches a kernel that overlaps with its neighbours. It may start once all groups of the previous launch
 * have signalled; the next launch may do the same after this one. Other work in between (copies, events,
 * other launches) completes first. */
static CUresult launch_early(const cuda_context *c, const kernel_launch *l, cuda_arguments *with)
{
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                   .value = {.allowed = 1}};
    const CUlaunchConfig config = {.groups = {(unsigned int)l->groups, 1, 1},
                                   .items = {(unsigned int)l->items, 1, 1},
                                   .shared_bytes = (unsigned int)l->shared_bytes,
                                   .stream = c->stream,
                                   .attributes = &attribute,
                                   .attribute_count = 1};
    return cu.LaunchKernelEx(&config, with->function, with->pointers, NULL);
}

static CUresult launch(const cuda_context *c, const kernel_launch *l, cuda_arguments *with)
{
    if (l->overlaps && c->overlaps) return launch_early(c, l, with);
    return cu.LaunchKernel(with->function, (unsigned int)l->groups, 1, 1, (unsigned int)l->items, 1, 1,
                           (unsigned int)l->shared_bytes, c->stream, with->pointers, NULL);
}

static argand_status start(const cuda_context *c, const kernel_launch *l)
{
    cuda_arguments with;
    TRY(cuda_pass(&with, c, l));
    return cuda_check(c, launch(c, l, &with), "kernel \"%s\" cannot be started with %lld groups of %d",
                      ((const cuda_kernel *)l->kernel)->key, (long long)l->groups, l->items);
}

argand_status cuda_launch(void *context, const kernel_launch *launch)
{
    if (launch->groups < 1) return ARGAND_OK;
    TRY(cuda_enter(context));
    return cuda_leave(start(context, launch));
}

static argand_status ask(const cuda_context *c, const kernel_launch *l, kernel_needs *needs)
{
    cuda_kernel *k = l->kernel;
    int spilled = 0;
    TRY(raise_shared(c, k, l->shared_bytes));
    CUresult result = cu.FuncGetAttribute(&needs->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, k->function);
    if (!result) result = cu.FuncGetAttribute(&spilled, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, k->function);
    if (!result) result = cu.GroupsAtATime(&needs->groups, k->function, l->items, l->shared_bytes);
    if (!result)
        result = cu.DeviceGetAttribute(&needs->items_at_most,
                                       CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, c->device);
    needs->shared = k->own_shared + l->shared_bytes;
    needs->spilled = (size_t)spilled;
    return cuda_check(c, result, "what kernel \"%s\" needs is not known", k->key);
}

argand_status cuda_needs(void *context, const kernel_launch *launch, kernel_needs *needs)
{
    *needs = (kernel_needs){0};
    CHECK(cu.GroupsAtATime, ARGAND_UNSUPPORTED, "the driver does not tell what kernels need");
    TRY(cuda_enter(context));
    return cuda_leave(ask(context, launch, needs));
}
