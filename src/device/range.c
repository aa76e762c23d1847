/* SPDX-License-Identifier: BSD-3-Clause */
/* NVTX without its headers. A profiler (Nsight Systems, Nsight Compute) puts the path of its library into
 * NVTX_INJECTION64_PATH. The program opens that library and calls its InitializeInjectionNvtx2. The
 * library then asks for a table of slots and writes its functions there (nvtxDetail/nvtxTypes.h, NVTX
 * version 3). CUDA 13 has no libnvToolsExt, so only this method works with old and new profilers. */
#include "device/range.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Numbers from nvtxTypes.h: export tables, modules, and the functions called here. */
enum { CALLBACKS = 1, VERSION_INFO = 3, CORE = 1, RANGE_PUSH_A = 9, RANGE_POP = 11, MODULES = 7, MOST = 16 };
/* Number of functions (from 1) in each module: core, CUDA, OpenCL, CUDART, domains, synchronisation. A
 * profiler may require all of them. */
static const unsigned int sizes[MODULES] = {0, 16, 9, 15, 7, 16, 7};

typedef void (*any_function)(void);
static any_function slots[MODULES][MOST]; /* written by the profiler */
static any_function *places[MODULES][MOST + 1];
static int (*push)(const char *);
static int (*pop)(void);

static int module_table(int module, any_function ***table, unsigned int *size)
{
    if (module < CORE || module >= MODULES) return 0;
    if (table) *table = places[module];
    if (size) *size = sizes[module];
    return 1;
}

static void set_version(uint32_t version)
{
    (void)version;
}

static const struct {
    size_t size;
    int (*module_table)(int module, any_function ***table, unsigned int *size);
} callbacks = {sizeof callbacks, module_table};

static const struct {
    size_t size;
    uint32_t version, reserved;
    void (*set_version)(uint32_t version);
} version_info = {sizeof version_info, 3, 0, set_version};

static const void *export_table(uint32_t id)
{
    return id == CALLBACKS      ? (const void *)&callbacks
           : id == VERSION_INFO ? (const void *)&version_info
                                : NULL;
}

static void attach(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_LAZY) : NULL;
    void *address = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
    int (*initialise)(const void *(*)(uint32_t));
    if (!address) return;
    for (int module = CORE; module < MODULES; module++)
        for (unsigned int i = 1; i < sizes[module]; i++) places[module][i] = &slots[module][i];
    memcpy(&initialise, &address, sizeof address);
    if (!initialise(export_table) || !slots[CORE][RANGE_PUSH_A] || !slots[CORE][RANGE_POP]) return;
    memcpy(&push, &slots[CORE][RANGE_PUSH_A], sizeof push);
    memcpy(&pop, &slots[CORE][RANGE_POP], sizeof pop);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

void range_push(const char *name)
{
    pthread_once(&once, attach);
    if (push) push(name);
}

void range_pop(void)
{
    if (pop) pop();
}

bool range_is_recorded(void)
{
    pthread_once(&once, attach);
    return push;
}
