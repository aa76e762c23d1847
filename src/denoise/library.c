/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds ONNX Runtime, opens it, and takes its functions from its table. */
#include "denoise/onnx.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/system/system.h"
#include "device/libraries/places.h"

#ifdef __APPLE__
static const char *const names[] = {"libonnxruntime.dylib", "libonnxruntime.1.dylib", NULL};
#define ENDING "libonnxruntime*.dylib"
#else
static const char *const names[] = {"libonnxruntime.so.1", "libonnxruntime.so", NULL};
#define ENDING "libonnxruntime.so*"
#endif

static onnx_library library;
static char reason[1024]; /* why there is no library; "" if there is one */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_named(int more)
{
    void *opened = NULL;
    for (int i = 0; names[i] && !opened; i++) opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | more);
    return opened;
}

/* Opens the last of the files that a pattern finds below a folder. */
static void *open_below(const char *folder, const char *below)
{
    char pattern[PLACE_PATH];
    glob_t found;
    void *opened = NULL;
    if (!folder || !*folder) return NULL;
    if (snprintf(pattern, sizeof pattern, "%s%s/onnxruntime/capi/" ENDING, folder, below) >= PLACE_PATH)
        return NULL;
    if (glob(pattern, 0, NULL, &found)) return NULL;
    for (size_t i = found.gl_pathc; i-- > 0 && !opened;)
        opened = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return opened;
}

/* Looks into the packages of Pythons whose programs PATH finds: bin is next to lib. */
static void *open_below_path(void)
{
    char folder[PLACE_PATH];
    void *opened = NULL;
    const char *path = system_trusted_variable("PATH");
    while (path && *path && !opened) {
        const size_t length = strcspn(path, ":");
        if (*path == '/' && length < sizeof folder) {
            snprintf(folder, sizeof folder, "%.*s", (int)length, path);
            opened = open_below(folder, "/../lib/python3*/site-packages");
        }
        path += length + (path[length] == ':');
    }
    return opened;
}

/* Looks into the folders of Python's packages: next to this library (argand/lib), environments, the user's
 * and the system's. */
static void *open_package(void)
{
    char folder[PLACE_PATH];
    void *opened = place_of_library(folder) ? open_below(folder, "/../..") : NULL;
    if (!opened) opened = open_below(system_trusted_variable("VIRTUAL_ENV"), "/lib/python3*/site-packages");
    if (!opened) opened = open_below(system_trusted_variable("CONDA_PREFIX"), "/lib/python3*/site-packages");
    if (!opened) opened = open_below(system_trusted_variable("HOME"), "/.local/lib/python3*/site-packages");
    if (!opened) opened = open_below_path();
    if (!opened) opened = open_below("/usr/local", "/lib/python3*/*-packages");
    return opened ? opened : open_below("/usr", "/lib/python3*/*-packages");
}

static void *open_any(void)
{
    const char *named = system_trusted_variable("ARGAND_ONNXRUNTIME");
    if (named && *named) return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    void *opened = open_named(RTLD_NOLOAD);
    if (!opened) opened = open_package();
    return opened ? opened : open_named(0);
}

#define ONNX_TAKE(position, result, name, parameters) \
    memcpy(&library.name, (const char *)table + (position) * sizeof(void *), sizeof(void *));

static void open_library(void)
{
    typedef struct onnx_base { /* OrtApiBase */
        const void *(*table)(uint32_t version);
        const char *(*version)(void);
    } onnx_base;
    const onnx_base *(*base)(void);
    void *opened = open_any();
    if (!opened) {
        const char *why = dlerror();
        snprintf(reason, sizeof reason, "%s", why ? why : names[0]);
        return;
    }
    void *address = dlsym(opened, "OrtGetApiBase");
    memcpy(&base, &address, sizeof address);
    const void *table = address ? base()->table(1) : NULL;
    if (!table) {
        snprintf(reason, sizeof reason, "the library that was found has no OrtGetApiBase");
        return;
    }
    ONNX_FUNCTIONS(ONNX_TAKE)
    library.version = base()->version();
}

argand_status onnx_open(const onnx_library **opened)
{
    pthread_once(&once, open_library);
    CHECK(!*reason, ARGAND_UNSUPPORTED,
          "ONNX Runtime, which runs the denoiser, cannot be opened: %s: install it with `pip install "
          "onnxruntime`, or give the file of its library in ARGAND_ONNXRUNTIME",
          reason);
    *opened = &library;
    return ARGAND_OK;
}

argand_status onnx_check(const onnx_library *o, void *result, argand_status code, const char *path)
{
    if (!result) return ARGAND_OK;
    status_set(code, "%s: ONNX Runtime %s: %s", path, o->version, o->error_message(result));
    o->release_status(result);
    return code;
}
