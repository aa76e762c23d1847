/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts kernels, and asks the driver what they need. */
#include <stdint.h>
#include "device/gpu/context.h"

static argand_status raise_shared(const gpu_context *c, gpu_kernel *k, size_t bytes)
{
    return c->vendor->raise_shared ? c->vendor->raise_shared(c, k, bytes) : ARGAND_OK;
}

argand_status gpu_pass(gpu_arguments *to, const gpu_context *c, const kernel_launch *l)
{
    gpu_kernel *k = l->kernel;
    CHECK(l->memory_count <= GPU_MOST_ARGUMENTS, ARGAND_INTERNAL, "%s: %d buffers", k->key, l->memory_count);
    CHECK(l->items <= GPU_MOST_ITEMS, ARGAND_UNSUPPORTED,
          "%s:%d (%s): kernel \"%s\": groups of %d items; %d is the most", c->vendor->name, c->index, c->name,
          k->key, l->items, GPU_MOST_ITEMS);
    CHECK(l->groups <= INT32_MAX, ARGAND_UNSUPPORTED, "%s:%d (%s): kernel \"%s\": %lld groups are too many",
          c->vendor->name, c->index, c->name, k->key, (long long)l->groups);
    to->function = k->function;
    for (int i = 0; i < l->memory_count; i++) {
        to->addresses[i] = ((const gpu_memory *)l->memory[i])->address;
        to->pointers[i] = &to->addresses[i];
    }
    to->pointers[l->memory_count] = (void *)(uintptr_t)l->params;
    return raise_shared(c, k, l->shared_bytes);
}

static gpu_result launch(const gpu_context *c, const kernel_launch *l, gpu_arguments *with)
{
    if (l->overlaps && c->overlaps) return c->vendor->launch_early(c, l, with);
    return c->call->LaunchKernel(with->function, (unsigned int)l->groups, 1, 1, (unsigned int)l->items, 1, 1,
                                 (unsigned int)l->shared_bytes, c->stream, with->pointers, NULL);
}

static argand_status start(const gpu_context *c, const kernel_launch *l)
{
    gpu_arguments with;
    TRY(gpu_pass(&with, c, l));
    return gpu_check(c, launch(c, l, &with), "kernel \"%s\" cannot be started with %lld groups of %d",
                     ((const gpu_kernel *)l->kernel)->key, (long long)l->groups, l->items);
}

argand_status gpu_launch(void *context, const kernel_launch *launch)
{
    const gpu_context *c = context;
    if (launch->groups < 1) return ARGAND_OK;
    TRY(gpu_enter(c));
    return gpu_leave(c, start(c, launch));
}

static argand_status ask(const gpu_context *c, const kernel_launch *l, kernel_needs *needs)
{
    gpu_kernel *k = l->kernel;
    int spilled = 0;
    TRY(raise_shared(c, k, l->shared_bytes));
    gpu_result result = c->call->FuncGetAttribute(&needs->registers, GPU_FUNCTION_REGISTERS, k->function);
    if (!result) result = c->call->FuncGetAttribute(&spilled, GPU_FUNCTION_SPILLED_BYTES, k->function);
    if (!result) result = c->call->GroupsAtATime(&needs->groups, k->function, l->items, l->shared_bytes);
    if (!result)
        result =
            c->call->DeviceGetAttribute(&needs->items_at_most, c->vendor->numbers.items_of_unit, c->device);
    needs->shared = k->own_shared + l->shared_bytes;
    needs->spilled = (size_t)spilled;
    return gpu_check(c, result, "what kernel \"%s\" needs is not known", k->key);
}

argand_status gpu_needs(void *context, const kernel_launch *launch, kernel_needs *needs)
{
    const gpu_context *c = context;
    *needs = (kernel_needs){0};
    CHECK(c->call->GroupsAtATime, ARGAND_UNSUPPORTED, "the driver does not tell what kernels need");
    TRY(gpu_enter(c));
    return gpu_leave(c, ask(c, launch, needs));
}
