/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds kernels: compiles them with the vendor's compiler for the chip, or loads earlier binaries. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/gpu/context.h"

static argand_status find_own_shared(const gpu_context *c, const kernel_source *source, gpu_kernel *k)
{
    int bytes = 0;
    const gpu_result result = c->call->FuncGetAttribute(&bytes, GPU_FUNCTION_SHARED_BYTES, k->function);
    k->own_shared = (size_t)bytes;
    return gpu_check(c, result, "what shared memory kernel \"%s\" has is not known", source->key);
}

static argand_status find(const gpu_context *c, const kernel_source *source, gpu_kernel *k)
{
    TRY(gpu_check(c, c->call->ModuleGetFunction(&k->function, k->module, source->name),
                  "kernel \"%s\" is not in its program", source->key));
    if (c->vendor->prepare) c->vendor->prepare(k);
    return find_own_shared(c, source, k);
}

static argand_status load(const gpu_context *c, const kernel_source *source, const void *image, gpu_kernel *k)
{
    TRY(gpu_check(c, c->call->ModuleLoadData(&k->module, image), "kernel \"%s\" cannot be loaded",
                  source->key));
    const argand_status status = find(c, source, k);
    if (status != ARGAND_OK) {
        c->call->ModuleUnload(k->module);
        k->module = NULL;
    }
    return status;
}

static argand_status compile_and_load(const gpu_context *c, const kernel_source *source,
                                      kernel_binary *binary, gpu_kernel *k)
{
    unsigned char *bytes;
    size_t count = 0;
    TRY(c->vendor->compile(c, source, &bytes, &count));
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
static argand_status build(const gpu_context *c, const kernel_source *source, kernel_binary *binary,
                           gpu_kernel *k)
{
    const argand_status status = binary->bytes ? load(c, source, binary->bytes, k) : ARGAND_BUILD;
    return status != ARGAND_OK ? compile_and_load(c, source, binary, k) : status;
}

argand_status gpu_build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel)
{
    gpu_context *c = context;
    gpu_kernel *k;
    const size_t length = strlen(source->key);
    TRY(memory_new(&k, 1, sizeof *k + length + 1));
    memcpy(k->key, source->key, length + 1);
    argand_status status = gpu_enter(c);
    if (status == ARGAND_OK) {
        pthread_mutex_lock(&c->stream_lock);
        status = gpu_refuse_captured(c, "no kernel can be loaded");
        pthread_mutex_unlock(&c->stream_lock);
        if (status == ARGAND_OK) status = build(c, source, binary, k);
        gpu_leave(c, status);
    }
    if (status != ARGAND_OK) {
        memory_free(k);
        return status;
    }
    *kernel = k;
    return ARGAND_OK;
}

const kernel_source gpu_nothing = {
    .key = "nothing", .name = "nothing", .text = "extern \"C\" __global__ void nothing() {}\n", .items = 32};

void gpu_compile_nothing(void *context)
{
    const gpu_context *c = context;
    unsigned char *bytes = NULL;
    size_t count;
    if (c->vendor->compile(c, &gpu_nothing, &bytes, &count) == ARGAND_OK) memory_free(bytes);
}

void gpu_discard(void *context, void *kernel)
{
    const gpu_context *c = context;
    gpu_kernel *k = kernel;
    const bool entered = gpu_enter_to_free(c);
    c->call->ModuleUnload(k->module);
    gpu_leave_freed(c, entered);
    memory_free(k);
}
