/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the cuda and hip backends over fake drivers share. */
#ifndef TESTS_DEVICE_GPU_FAKE_H
#define TESTS_DEVICE_GPU_FAKE_H

#include "harness.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "device/gpu/context.h"
#include "device/handle.h"
#include "fakes/fake_gpu.h"

#ifdef FAKE_HIP
#define DEVICE_0 "hip:0"
#define FAMILY "hip"
#define TITLE "HIP"
#define DRIVER "libamdhip64.so.7"
#define COMPILER "libhiprtc.so.7"
#define COMPILATIONS "fake_hiprtc_compilations"
#define ERROR_NAME(cuda, hip) hip
#else
#define DEVICE_0 "cuda:0"
#define FAMILY "cuda"
#define TITLE "CUDA"
#define DRIVER "libcuda.so.1"
#define COMPILER "libnvrtc.so"
#define COMPILATIONS "fake_nvrtc_compilations"
#define ERROR_NAME(cuda, hip) cuda
#endif

static struct fake_gpu *fake;

static inline int reset(void **state)
{
    (void)state;
    if (!fake) {
        struct fake_gpu *(*get)(void);
        void *address = dlsym(dlopen(DRIVER, RTLD_NOW), "fake_" FAMILY "_state");
        assert_non_null(address);
        memcpy(&get, &address, sizeof get);
        fake = get();
    }
    fake->fail_function = NULL;
    fake->free_bytes = (size_t)1 << 30;
    return 0;
}

static inline void fail_call(const char *function, long after, gpu_result with)
{
    fake->fail_function = function;
    fake->fail_after = after;
    fake->fail_with = with;
}

static inline argand_status run(argand_device *on, int64_t groups, int items, size_t shared, storage *buffer)
{
    const long long params[8] = {4711};
    const kernel_run r = {.key = "axpby REAL=float",
                          .groups = groups,
                          .memory = &buffer,
                          .memory_count = 1,
                          .params = params,
                          .params_bytes = sizeof params,
                          .items = items,
                          .shared_bytes = shared};
    return kernel_start(on, &r);
}

/* A launch that may begin before the one before has ended, of a kernel that is known. */
static inline argand_status run_early(argand_device *on, storage *buffer)
{
    const long long params[8] = {4712};
    kernel_run r = {.key = "what is built needs no key ITEMS=64",
                    .groups = 6,
                    .memory = &buffer,
                    .memory_count = 1,
                    .params = params,
                    .params_bytes = sizeof params,
                    .shared_bytes = 60000,
                    .overlaps = true};
    TRY(kernel_get(on, "axpby REAL=float", 64, &r.kernel));
    return kernel_start(on, &r);
}

#endif
