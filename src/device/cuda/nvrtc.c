/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens NVRTC, NVIDIA's run-time compiler, and compiles kernels with it. */
#include "device/cuda/nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "device/foreign.h"

typedef struct nvrtc_program *nvrtc_handle;

#define NVRTC_FUNCTIONS(FUNCTION)                                                            \
    FUNCTION(version, "nvrtcVersion", int, (int *major, int *minor))                         \
    FUNCTION(error_text, "nvrtcGetErrorString", const char *, (int result))                  \
    FUNCTION(create, "nvrtcCreateProgram", int,                                              \
             (nvrtc_handle * program, const char *text, const char *name, int headers,       \
              const char *const *header_texts, const char *const *header_names))             \
    FUNCTION(destroy, "nvrtcDestroyProgram", int, (nvrtc_handle * program))                  \
    FUNCTION(compile, "nvrtcCompileProgram", int,                                            \
             (nvrtc_handle program, int options, const char *const *option))                 \
    FUNCTION(ptx_size, "nvrtcGetPTXSize", int, (nvrtc_handle program, size_t * size))        \
    FUNCTION(ptx, "nvrtcGetPTX", int, (nvrtc_handle program, char *bytes))                   \
    FUNCTION(cubin_size, "nvrtcGetCUBINSize", int, (nvrtc_handle program, size_t * size))    \
    FUNCTION(cubin, "nvrtcGetCUBIN", int, (nvrtc_handle program, char *bytes))               \
    FUNCTION(log_size, "nvrtcGetProgramLogSize", int, (nvrtc_handle program, size_t * size)) \
    FUNCTION(log, "nvrtcGetProgramLog", int, (nvrtc_handle program, char *bytes))            \
    FUNCTION(architecture_count, "nvrtcGetNumSupportedArchs", int, (int *count))             \
    FUNCTION(architectures, "nvrtcGetSupportedArchs", int, (int *capabilities))

#define MEMBER(name, symbol, result, parameters) result(*name) parameters;
static struct nvrtc_library {
    NVRTC_FUNCTIONS(MEMBER)
} nvrtc;

enum { MOST_ARCHITECTURES = 64 };
static struct {
    bool there;
    char reason[640];
    int major, minor, count, capability[MOST_ARCHITECTURES]; /* capabilities in ascending order */
} found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define ENTRY(name, symbol, result, parameters) {symbol, offsetof(struct nvrtc_library, name), true},
static const foreign_function functions[] = {NVRTC_FUNCTIONS(ENTRY){NULL, 0, false}};
static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                    NULL};

static void read_architectures(void)
{
    int count = 0;
    if (nvrtc.architecture_count(&count) || count < 1 || count > MOST_ARCHITECTURES ||
        nvrtc.architectures(found.capability))
        count = 0;
    found.count = count;
}

/* Loads NVRTC's second library from NVRTC's folder. NVRTC opens it by name without a path, which fails if
 * the loader does not search that folder. If it is missing, NVRTC itself reports it. */
static void open_builtins(void)
{
    char path[4096];
    const void *inside;
    Dl_info self;
    memcpy(&inside, &nvrtc.version, sizeof inside);
    const char *slash = dladdr(inside, &self) && self.dli_fname ? strrchr(self.dli_fname, '/') : NULL;
    if (!slash) return;
    const int length = snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d",
                                (int)(slash - self.dli_fname), self.dli_fname, found.major, found.minor);
    if (length > 0 && length < (int)sizeof path) dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void open_library(void)
{
    char reason[320];
    found.there = foreign_open(names, FOREIGN_TOOLKIT, functions, &nvrtc, reason, sizeof reason) &&
                  !nvrtc.version(&found.major, &found.minor);
    if (found.there) {
        open_builtins();
        read_architectures();
    } else
        snprintf(found.reason, sizeof found.reason,
                 "NVRTC, the compiler of kernels, cannot be used: %s; install the CUDA toolkit's NVRTC "
                 "(libnvrtc) or set CUDA_HOME to the toolkit's folder",
                 reason);
}

bool nvrtc_open(const char **reason)
{
    pthread_once(&once, open_library);
    *reason = found.reason;
    return found.there;
}

void nvrtc_version(int *major, int *minor)
{
    *major = found.major;
    *minor = found.minor;
}

bool nvrtc_knows(int capability)
{
    for (int i = 0; i < found.count; i++)
        if (found.capability[i] == capability) return true;
    return false;
}

/* Adds the letter "a" for 9.0: without it wgmma, which only 9.0 has, is not available. */
argand_status nvrtc_architecture(int capability, char *architecture, size_t size)
{
    int best = 0;
    for (int i = 0; i < found.count; i++)
        if (found.capability[i] <= capability && found.capability[i] > best) best = found.capability[i];
    CHECK(best, ARGAND_UNSUPPORTED,
          "NVRTC %d.%d does not compile for compute capability %d.%d any more; use an older CUDA toolkit's",
          found.major, found.minor, capability / 10, capability % 10);
    if (best != capability)
        snprintf(architecture, size, "compute_%d", best);
    else
        snprintf(architecture, size, "sm_%d%s", best, best == 90 && found.major >= 12 ? "a" : "");
    return ARGAND_OK;
}

/* Reports the log from its first error on, so that warnings do not push the error out of the message. */
static argand_status refuse(nvrtc_handle program, const kernel_source *source, const char *architecture,
                            int result)
{
    size_t size = 0;
    char *log = NULL;
    const char *reason = "";
    if (!nvrtc.log_size(program, &size) && size && memory_new(&log, size + 1, 1) == ARGAND_OK &&
        !nvrtc.log(program, log)) {
        const char *error = strstr(log, "error");
        while (error && error > log && error[-1] != '\n') error--;
        reason = error ? error : log;
    }
    const argand_status status =
        status_set(ARGAND_BUILD, "kernel \"%s\" for %s: NVRTC %d.%d: %s\n%.1500s", source->key, architecture,
                   found.major, found.minor, nvrtc.error_text(result), reason);
    memory_free(log);
    return status;
}

static argand_status take(nvrtc_handle program, const kernel_source *source, bool machine_code,
                          unsigned char **bytes, size_t *count)
{
    int result = machine_code ? nvrtc.cubin_size(program, count) : nvrtc.ptx_size(program, count);
    CHECK(!result && *count, ARGAND_BUILD, "kernel \"%s\": NVRTC made nothing", source->key);
    TRY(memory_new(bytes, *count, 1));
    result = machine_code ? nvrtc.cubin(program, (char *)*bytes) : nvrtc.ptx(program, (char *)*bytes);
    if (!result) return ARGAND_OK;
    memory_free(*bytes);
    *bytes = NULL;
    return status_set(ARGAND_BUILD, "kernel \"%s\": NVRTC: %s", source->key, nvrtc.error_text(result));
}

argand_status nvrtc_compile_both(const kernel_source *source, const char *architecture, unsigned char **bytes,
                                 size_t *count, unsigned char **ptx)
{
    char option[64], name[80];
    const char *reason;
    size_t size;
    nvrtc_handle program = NULL;
    *bytes = NULL;
    CHECK(nvrtc_open(&reason), ARGAND_BUILD, "kernel \"%s\": %s", source->key, reason);
    snprintf(option, sizeof option, "--gpu-architecture=%s", architecture);
    snprintf(name, sizeof name, "%s.cu", source->name);
    /* --minimal (since 12.4) skips declarations that kernels do not use (textures, the runtime's types) */
    const bool minimal = 100 * found.major + found.minor >= 1204;
    const char *const options[] = {option, "--std=c++17", "--minimal"};
    int result = nvrtc.create(&program, source->text, name, 0, NULL, NULL);
    CHECK(!result, ARGAND_BUILD, "kernel \"%s\": NVRTC: %s", source->key, nvrtc.error_text(result));
    result = nvrtc.compile(program, minimal ? 3 : 2, options);
    argand_status status = result ? refuse(program, source, architecture, result)
                                  : take(program, source, !strncmp(architecture, "sm_", 3), bytes, count);
    if (status == ARGAND_OK && ptx) status = take(program, source, false, ptx, &size);
    nvrtc.destroy(&program);
    return status;
}

argand_status nvrtc_compile(const kernel_source *source, const char *architecture, unsigned char **bytes,
                            size_t *count)
{
    return nvrtc_compile_both(source, architecture, bytes, count, NULL);
}
