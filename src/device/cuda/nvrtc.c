/* SPDX-License-Identifier: BSD-3-Clause */
/* NVRTC, NVIDIA's run-time compiler: its targets and options, and PTX for chips that are newer than it. */
#include "device/cuda/nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "device/gpu/compiler.h"
#include "device/gpu/context.h"

/* What hipRTC does not have. */
#define NVRTC_FUNCTIONS(FUNCTION)                                               \
    FUNCTION(ptx_size, "nvrtcGetPTXSize", (gpu_program program, size_t * size)) \
    FUNCTION(ptx, "nvrtcGetPTX", (gpu_program program, char *bytes))            \
    FUNCTION(architecture_count, "nvrtcGetNumSupportedArchs", (int *count))     \
    FUNCTION(architectures, "nvrtcGetSupportedArchs", (int *capabilities))

#define MEMBER(name, symbol, parameters) int(*name) parameters;
static struct nvrtc_library {
    gpu_compiler common;
    NVRTC_FUNCTIONS(MEMBER)
} nvrtc = {.common = {.title = "NVRTC"}};

enum { MOST_ARCHITECTURES = 64 };
static int architectures, capability_of[MOST_ARCHITECTURES]; /* in ascending order */
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define COMMON(name, symbol, hip, result, parameters) \
    {symbol, offsetof(struct nvrtc_library, common.name), true},
#define OWN(name, symbol, parameters) {symbol, offsetof(struct nvrtc_library, name), true},
static const foreign_function functions[] = {GPU_COMPILER_FUNCTIONS(COMMON)
                                                 NVRTC_FUNCTIONS(OWN){NULL, 0, false}};
static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                    NULL};

static void read_architectures(void)
{
    int count = 0;
    if (nvrtc.architecture_count(&count) || count < 1 || count > MOST_ARCHITECTURES ||
        nvrtc.architectures(capability_of))
        count = 0;
    architectures = count;
}

/* Loads NVRTC's second library from NVRTC's folder. NVRTC opens it by name without a path, which fails if
 * the loader does not search that folder. If it is missing, NVRTC itself reports it. */
static void open_builtins(void)
{
    char path[4096];
    const void *inside;
    Dl_info self;
    memcpy(&inside, &nvrtc.common.version, sizeof inside);
    const char *slash = dladdr(inside, &self) && self.dli_fname ? strrchr(self.dli_fname, '/') : NULL;
    if (!slash) return;
    const int length =
        snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - self.dli_fname),
                 self.dli_fname, nvrtc.common.major, nvrtc.common.minor);
    if (length > 0 && length < (int)sizeof path) dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void open_library(void)
{
    gpu_open_compiler(&nvrtc.common, names, FOREIGN_TOOLKIT, functions,
                      "install the CUDA toolkit's NVRTC (libnvrtc) or set CUDA_HOME to the toolkit's folder");
    if (!nvrtc.common.there) return;
    open_builtins();
    read_architectures();
}

bool nvrtc_open(const char **reason)
{
    pthread_once(&once, open_library);
    *reason = nvrtc.common.reason;
    return nvrtc.common.there;
}

void nvrtc_version(int *major, int *minor)
{
    *major = nvrtc.common.major;
    *minor = nvrtc.common.minor;
}

bool nvrtc_knows(int capability)
{
    for (int i = 0; i < architectures; i++)
        if (capability_of[i] == capability) return true;
    return false;
}

/* Adds the letter "a" for 9.0: without it wgmma, which only 9.0 has, is not available. */
argand_status nvrtc_architecture(int capability, char *architecture, size_t size)
{
    int best = 0;
    for (int i = 0; i < architectures; i++)
        if (capability_of[i] <= capability && capability_of[i] > best) best = capability_of[i];
    CHECK(best, ARGAND_UNSUPPORTED,
          "NVRTC %d.%d does not compile for compute capability %d.%d any more; use an older CUDA toolkit's",
          nvrtc.common.major, nvrtc.common.minor, capability / 10, capability % 10);
    if (best != capability)
        snprintf(architecture, size, "compute_%d", best);
    else
        snprintf(architecture, size, "sm_%d%s", best, best == 90 && nvrtc.common.major >= 12 ? "a" : "");
    return ARGAND_OK;
}

void nvrtc_describe_target(int capability, char *text, size_t size)
{
    char architecture[32];
    const char *reason;
    if (nvrtc_open(&reason) && nvrtc_architecture(capability, architecture, sizeof architecture) == ARGAND_OK)
        snprintf(text, size, "%s, NVRTC %d.%d", architecture, nvrtc.common.major, nvrtc.common.minor);
    else
        snprintf(text, size, "capability %d, no compiler", capability);
}

argand_status nvrtc_compile_both(const kernel_source *source, const char *architecture, unsigned char **bytes,
                                 size_t *count, unsigned char **ptx)
{
    char option[64];
    const char *reason;
    size_t size;
    nvrtc_open(&reason);
    const bool machine_code = !strncmp(architecture, "sm_", 3);
    const gpu_output outputs[] = {machine_code
                                      ? (gpu_output){nvrtc.common.code_size, nvrtc.common.code, bytes, count}
                                      : (gpu_output){nvrtc.ptx_size, nvrtc.ptx, bytes, count},
                                  {nvrtc.ptx_size, nvrtc.ptx, ptx, &size}};
    snprintf(option, sizeof option, "--gpu-architecture=%s", architecture);
    /* --minimal (since 12.4) skips declarations that kernels do not use (textures, the runtime's types) */
    const bool minimal = 100 * nvrtc.common.major + nvrtc.common.minor >= 1204;
    const char *const options[] = {option, "--std=c++17", "--minimal"};
    return gpu_compile(&nvrtc.common, source, architecture, options, minimal ? 3 : 2, outputs, ptx ? 2 : 1);
}

argand_status nvrtc_compile(const kernel_source *source, const char *architecture, unsigned char **bytes,
                            size_t *count)
{
    return nvrtc_compile_both(source, architecture, bytes, count, NULL);
}

static void compile_nothing(void)
{
    const char *reason;
    char architecture[32];
    unsigned char *bytes = NULL;
    size_t count;
    if (!nvrtc_open(&reason) || !architectures) return;
    snprintf(architecture, sizeof architecture, "sm_%d", capability_of[architectures - 1]);
    if (nvrtc_compile(&gpu_nothing, architecture, &bytes, &count) == ARGAND_OK) memory_free(bytes);
}

void nvrtc_compile_nothing(void)
{
    static pthread_once_t nothing = PTHREAD_ONCE_INIT;
    pthread_once(&nothing, compile_nothing);
}
