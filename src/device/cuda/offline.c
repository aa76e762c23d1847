/* SPDX-License-Identifier: BSD-3-Clause */
/* An offline CUDA device, opened as "offline:h200". On any machine with NVRTC, plans can be made for it
 * and kernels compiled for its chip; nothing can be computed. Data that plans write to its memory are
 * discarded. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "device/cuda/context.h"
#include "device/cuda/nvrtc.h"

static int count(const char **reason)
{
    int chips = 0;
    while (chips_absent(chips)) chips++;
    return nvrtc_open(reason) ? chips : 0;
}

static int find(const char *word)
{
    for (int i = 0; chips_absent(i); i++)
        if (!strcmp(chips_absent(i)->word, word)) return i;
    return -1;
}

static argand_status open(int index, void **context)
{
    *context = (void *)chips_absent(index);
    return ARGAND_OK;
}

static void close(void *context)
{
    (void)context;
}

static void describe(void *context, argand_device_info *info)
{
    const device_chip *c = context;
    int major, minor;
    nvrtc_version(&major, &minor);
    snprintf(info->name, sizeof info->name, "%s", c->name);
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->detail, sizeof info->detail, "capability %d.%d, not there, NVRTC %d.%d",
             c->capability / 10, c->capability % 10, major, minor);
    info->capability = c->capability;
}

static void traits(void *context, device_traits *of)
{
    cuda_traits_absent(context, of);
}

static argand_status refuse(const void *context, const char *what)
{
    const device_chip *c = context;
    return status_set(
        ARGAND_UNSUPPORTED,
        "offline:%s (%s): %s: the device is not there, kernels are only compiled for it (and plans made "
        "by estimate); open another one",
        c->word, c->name, what);
}

/* Returns addresses that are never read, with the distances that memory of these sizes would have. */
static argand_status alloc(void *context, size_t bytes, void **memory)
{
    static atomic_uintptr_t next = 4096;
    (void)context;
    *memory = (void *)atomic_fetch_add(&next, bytes / 256 * 256 + 256);
    return ARGAND_OK;
}

static void free_memory(void *context, void *memory)
{
    (void)context, (void)memory;
}

static argand_status wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    (void)pointer, (void)bytes, (void)memory;
    return refuse(context, "memory cannot be wrapped");
}

static argand_status upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    (void)context, (void)memory, (void)at, (void)host, (void)bytes;
    return ARGAND_OK;
}

static argand_status download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    (void)host, (void)memory, (void)at, (void)bytes;
    return refuse(context, "nothing can be downloaded");
}

static argand_status copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    (void)context, (void)to, (void)to_at, (void)from, (void)from_at, (void)bytes;
    return ARGAND_OK;
}

static argand_status fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    (void)context, (void)memory, (void)at, (void)bytes, (void)value;
    return ARGAND_OK;
}

static int items(void *context)
{
    (void)context;
    return GPU_ITEMS;
}

/* Uses an earlier binary unchecked: only a driver could refuse it. */
static argand_status build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel)
{
    const device_chip *c = context;
    char architecture[32];
    *kernel = context;
    if (binary->bytes) return ARGAND_OK;
    TRY(nvrtc_architecture(c->capability, architecture, sizeof architecture));
    TRY(nvrtc_compile(source, architecture, &binary->bytes, &binary->count));
    binary->fresh = true;
    return ARGAND_OK;
}

static void discard(void *context, void *kernel)
{
    (void)context, (void)kernel;
}

static argand_status launch(void *context, const kernel_launch *launch)
{
    (void)launch;
    return refuse(context, "nothing can be computed");
}

static argand_status wait(void *context)
{
    (void)context;
    return ARGAND_OK;
}

extern const backend backend_offline;
const backend backend_offline = {
    .name = "offline",
    .count = count,
    .find = find,
    .open = open,
    .close = close,
    .describe = describe,
    .traits = traits,
    .alloc = alloc,
    .free = free_memory,
    .wrap = wrap,
    .upload = upload,
    .download = download,
    .copy = copy,
    .fill = fill,
    .items = items,
    .build = build,
    .builds_in_parallel = true,
    .discard = discard,
    .launch = launch,
    .wait = wait,
};
