/* SPDX-License-Identifier: BSD-3-Clause */
/* hipRTC, AMD's run-time compiler: its own library, or a part of the driver's before ROCm 7. */
#include "device/hip/hiprtc.h"

#include <pthread.h>
#include <stdio.h>
#include "device/gpu/compiler.h"
#include "device/hip/driver.h"

static gpu_compiler hiprtc = {.title = "hipRTC"};
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define ENTRY(name, nvrtc, symbol, result, parameters) {symbol, offsetof(gpu_compiler, name), true},
static const foreign_function functions[] = {GPU_COMPILER_FUNCTIONS(ENTRY){NULL, 0, false}};
static const char *const names[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so",
                                    NULL};

static void open_library(void)
{
    static const char remedy[] = "install ROCm's hipRTC (libhiprtc) or set ROCM_PATH to its folder";
    gpu_open_compiler(&hiprtc, names, FOREIGN_ROCM, functions, remedy);
    if (hiprtc.there) return;
    gpu_compiler inside = {.title = hiprtc.title};
    gpu_open_compiler(&inside, hip_driver_names, FOREIGN_ROCM, functions, remedy);
    if (inside.there) hiprtc = inside;
}

bool hiprtc_open(const char **reason)
{
    pthread_once(&once, open_library);
    *reason = hiprtc.reason;
    return hiprtc.there;
}

void hiprtc_version(int *major, int *minor)
{
    *major = hiprtc.major;
    *minor = hiprtc.minor;
}

/* Products and sums are contracted, as NVRTC does by default. */
argand_status hiprtc_compile(const kernel_source *source, const char *chip, unsigned char **bytes,
                             size_t *count)
{
    char option[96];
    const char *reason;
    *bytes = NULL;
    CHECK(hiprtc_open(&reason), ARGAND_BUILD, "kernel \"%s\": %s", source->key, reason);
    const gpu_output output = {hiprtc.code_size, hiprtc.code, bytes, count}; /* set by hiprtc_open */
    snprintf(option, sizeof option, "--offload-arch=%s", chip);
    const char *const options[] = {option, "-std=c++17", "-O3", "-ffp-contract=fast"};
    return gpu_compile(&hiprtc, source, chip, options, 4, &output, 1);
}
