/* SPDX-License-Identifier: BSD-3-Clause */
/* The cpu backend. Memory is host memory. A launch is an OpenMP loop over work-groups that has ended on
 * return. */
#include "device/backend.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/cpu.h"
#include "base/memory.h"
#include "device/cpu/kernels.h"

typedef struct cpu_context {
    int threads;
} cpu_context;

typedef struct cpu_memory {
    char *address;
    bool owned;
} cpu_memory;

static int count(const char **reason)
{
    *reason = "";
    return 1;
}

static argand_status open(int index, void **context)
{
    (void)index;
    cpu_context *cpu;
    TRY(NEW(cpu, 1));
    *context = cpu;
    return ARGAND_OK;
}

static void describe(void *context, argand_device_info *info)
{
    (void)context;
    snprintf(info->name, sizeof info->name, "%s", cpu_name());
    snprintf(info->backend, sizeof info->backend, "cpu");
    snprintf(info->detail, sizeof info->detail, "%s", cpu_level_name(cpu_best()));
}

static void traits(void *context, device_traits *t)
{
    (void)context;
    *t = (device_traits){.is_processor = true,
                         .memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
                         .has_double = true};
}

static argand_status set_threads(void *context, int threads)
{
    ((cpu_context *)context)->threads = threads;
    return ARGAND_OK;
}

static argand_status adopt(char *address, bool owned, void **memory)
{
    cpu_memory *m;
    TRY(NEW(m, 1));
    *m = (cpu_memory){address, owned};
    *memory = m;
    return ARGAND_OK;
}

static argand_status alloc(void *context, size_t bytes, void **memory)
{
    (void)context;
    char *address;
    TRY(memory_take(&address, bytes));
    const argand_status status = adopt(address, true, memory);
    if (status != ARGAND_OK) memory_free(address);
    return status;
}

static argand_status wrap(void *context, void *pointer, size_t bytes, void **memory)
{
    (void)context;
    (void)bytes;
    return adopt(pointer, false, memory);
}

static void release(void *context, void *memory)
{
    (void)context;
    cpu_memory *m = memory;
    if (m->owned) memory_free(m->address);
    memory_free(m);
}

static char *at(void *memory, size_t offset)
{
    return ((cpu_memory *)memory)->address + offset;
}

static void *address(void *context, void *memory)
{
    (void)context;
    return at(memory, 0);
}

static argand_status upload(void *context, void *memory, size_t offset, const void *host, size_t bytes)
{
    (void)context;
    memcpy(at(memory, offset), host, bytes);
    return ARGAND_OK;
}

static argand_status download(void *context, void *host, void *memory, size_t offset, size_t bytes)
{
    (void)context;
    memcpy(host, at(memory, offset), bytes);
    return ARGAND_OK;
}

static argand_status copy(void *context, void *to, size_t to_at, void *from, size_t from_at, size_t bytes)
{
    (void)context;
    memmove(at(to, to_at), at(from, from_at), bytes);
    return ARGAND_OK;
}

static argand_status fill(void *context, void *memory, size_t offset, size_t bytes, unsigned char value)
{
    (void)context;
    memset(at(memory, offset), value, bytes);
    return ARGAND_OK;
}

static const cpu_kernel *find(const cpu_kernel *table, const char *key)
{
    for (; table->key; table++)
        if (!strcmp(table->key, key)) return table;
    return NULL;
}

static argand_status build(void *context, const kernel_source *source, kernel_binary *binary, void **kernel)
{
    (void)context;
    (void)binary;
    static const cpu_kernel *const wide[2][CPU_LEVELS] = CPU_VARIANTS(cpu_kernels_wide);
    const cpu_level level = cpu_best();
    const cpu_kernel *const tables[] = {cpu_kernels_f32, cpu_kernels_f64, wide[0][level], wide[1][level]};
    const cpu_kernel *found = NULL;
    for (int i = 0; i < 4 && !found; i++) found = find(tables[i], source->key);
    CHECK(found, ARGAND_BUILD, "kernel \"%s\" is not compiled in for the cpu", source->key);
    *kernel = (void *)(uintptr_t)found;
    return ARGAND_OK;
}

static void discard(void *context, void *kernel)
{
    (void)context;
    (void)kernel;
}

static argand_status launch(void *context, const kernel_launch *l)
{
    enum { MOST = 16 };
    const cpu_context *cpu = context;
    const cpu_kernel *kernel = l->kernel;
    void *memory[MOST];
    CHECK(l->memory_count <= MOST, ARGAND_INTERNAL, "%s: %d buffers", kernel->key, l->memory_count);
    for (int i = 0; i < l->memory_count; i++) memory[i] = at(l->memory[i], 0);
    const int64_t groups = l->groups;
    /* groups hold thousands of elements; starting a team of threads costs more than two or three groups */
#pragma omp parallel for schedule(static) num_threads(cpu_threads(cpu->threads)) if (groups > 3)
    for (int64_t group = 0; group < groups; group++) kernel->function(memory, l->params, group);
    return ARGAND_OK;
}

static argand_status wait(void *context)
{
    (void)context;
    return ARGAND_OK;
}

extern const backend backend_cpu;
const backend backend_cpu = {
    .name = "cpu",
    .count = count,
    .open = open,
    .close = memory_free,
    .describe = describe,
    .traits = traits,
    .alloc = alloc,
    .free = release,
    .wrap = wrap,
    .address = address,
    .upload = upload,
    .download = download,
    .copy = copy,
    .fill = fill,
    .build = build,
    .discard = discard,
    .launch = launch,
    .wait = wait,
    .set_threads = set_threads,
};
