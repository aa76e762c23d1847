/* SPDX-License-Identifier: BSD-3-Clause */
/* An offline CUDA device, opened as "offline:h200". On any machine with NVRTC, plans can be made for it
 * and kernels compiled for its chip; nothing can be computed. Data that plans write to its memory are
 * discarded. With ARGAND_REHEARSE=1 whole commands run, so that the kernels that they ask for are compiled:
 * launches do nothing, and memory that nothing has written reads as numbers. With ARGAND_REHEARSE=first
 * kernels that can take the place of others are compiled instead: those that cold plans begin with. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "device/cuda/context.h"
#include "device/cuda/nvrtc.h"

typedef struct absent_context {
    const device_chip *chip;
    bool rehearses, rehearses_first;
} absent_context;

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
    const char *wanted = getenv("ARGAND_REHEARSE");
    absent_context *c;
    TRY(NEW(c, 1));
    c->chip = chips_absent(index);
    c->rehearses_first = wanted && !strcmp(wanted, "first");
    c->rehearses = c->rehearses_first || (wanted && !strcmp(wanted, "1"));
    *context = c;
    return ARGAND_OK;
}

static void close(void *context)
{
    memory_free(context);
}

static void describe(void *context, argand_device_info *info)
{
    const absent_context *absent = context;
    const device_chip *c = absent->chip;
    int major, minor;
    nvrtc_version(&major, &minor);
    snprintf(info->name, sizeof info->name, "%s", c->name);
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->detail, sizeof info->detail, "capability %d.%d, not there, NVRTC %d.%d%s",
             c->capability / 10, c->capability % 10, major, minor,
             absent->rehearses ? "; rehearses: nothing is computed" : "");
    info->capability = c->capability;
}

static void describe_target(void *context, char *text, size_t size)
{
    nvrtc_describe_target(((const absent_context *)context)->chip->capability, text, size);
}

static void traits(void *context, device_traits *of)
{
    const absent_context *c = context;
    cuda_traits_absent(c->chip, of);
    of->rehearses = c->rehearses;
    of->rehearses_first = c->rehearses_first;
}

static argand_status refuse(const void *context, const char *what)
{
    const device_chip *c = ((const absent_context *)context)->chip;
    return status_set(
        ARGAND_UNSUPPORTED,
        "offline:%s (%s): %s: the device is not there, kernels are only compiled for it (and plans made "
        "by estimate); open another one",
        c->word, c->name, what);
}

/* Returns addresses that are never read, with the distances that memory of these sizes would have; a
 * rehearsal's memory is the host's. */
static argand_status alloc(void *context, size_t bytes, void **memory)
{
    static atomic_uintptr_t next = 4096;
    if (((const absent_context *)context)->rehearses) return memory_new(memory, bytes, 1);
    *memory = (void *)atomic_fetch_add(&next, bytes / 256 * 256 + 256);
    return ARGAND_OK;
}

static void free_memory(void *context, void *memory)
{
    if (((const absent_context *)context)->rehearses) memory_free(memory);
}

static argand_status wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    (void)pointer, (void)bytes, (void)memory;
    return refuse(context, "memory cannot be wrapped");
}

static argand_status upload(void *context, void *memory, size_t at, const void *host, size_t bytes)
{
    if (((const absent_context *)context)->rehearses) memcpy((char *)memory + at, host, bytes);
    return ARGAND_OK;
}

/* Makes numbers of zeros, at which a program would stop: of small results doubles 1, 0, 1, 0 ..., of large
 * ones floats. */
static void make_numbers(void *host, size_t bytes)
{
    enum { SMALL = 1 << 16 };
    const unsigned char *all = host;
    size_t zeros = 0;
    while (zeros < bytes && !all[zeros]) zeros++;
    if (zeros < bytes) return;
    for (size_t i = 0; bytes % 16 == 0 && bytes <= SMALL && i < bytes / 16; i++) ((double *)host)[2 * i] = 1;
    for (size_t i = 0; bytes % 4 == 0 && bytes > SMALL && i < bytes / 4; i++)
        ((float *)host)[i] = 1 + 0.1F * (float)(7 * i % 11);
}

static argand_status download(void *context, void *host, void *memory, size_t at, size_t bytes)
{
    if (!((const absent_context *)context)->rehearses) return refuse(context, "nothing can be downloaded");
    memcpy(host, (const char *)memory + at, bytes);
    make_numbers(host, bytes);
    return ARGAND_OK;
}

static argand_status copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    if (((const absent_context *)context)->rehearses)
        memmove((char *)to + to_at, (const char *)from + from_at, bytes);
    return ARGAND_OK;
}

static argand_status fill(void *context, void *memory, size_t at, size_t bytes, unsigned char value)
{
    if (((const absent_context *)context)->rehearses) memset((char *)memory + at, value, bytes);
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
    const device_chip *c = ((const absent_context *)context)->chip;
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
    return ((const absent_context *)context)->rehearses ? ARGAND_OK
                                                        : refuse(context, "nothing can be computed");
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
    .describe_target = describe_target,
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
