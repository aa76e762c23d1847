/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the CUDA driver and finds its functions at run time. */
#include "device/cuda/driver.h"

#include <pthread.h>
#include <stdio.h>
#include "device/foreign.h"

cuda_driver cu;

static struct {
    int count;
    char reason[512];
} found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define NEEDED(name, symbol, parameters) {symbol, offsetof(cuda_driver, name), true},
#define OPTIONAL(name, symbol, parameters) {symbol, offsetof(cuda_driver, name), false},
static const foreign_function functions[] = {CUDA_FUNCTIONS(NEEDED)
                                                 CUDA_OPTIONAL_FUNCTIONS(OPTIONAL){NULL, 0, false}};

void cuda_error_text(CUresult result, char *reason, size_t size)
{
    const char *name = NULL, *text = NULL;
    if (cu.GetErrorName(result, &name) || !name) name = "an error without a name";
    if (cu.GetErrorString(result, &text) || !text) text = "no explanation";
    snprintf(reason, size, "%s (%d: %s)", name, result, text);
}

static void open_driver(void)
{
    char reason[320];
    if (!foreign_open((const char *const[]){"libcuda.so.1", NULL}, FOREIGN_DRIVER, functions, &cu, reason,
                      sizeof reason)) {
        snprintf(found.reason, sizeof found.reason, "there is no NVIDIA driver: %s", reason);
        return;
    }
    CUresult result = cu.Init(0);
    if (!result) result = cu.DeviceGetCount(&found.count);
    if (result) {
        found.count = 0;
        cuda_error_text(result, reason, sizeof reason);
        snprintf(found.reason, sizeof found.reason, "the NVIDIA driver says: %s", reason);
    } else if (found.count < 1) {
        snprintf(found.reason, sizeof found.reason, "the NVIDIA driver sees no device");
    }
}

int cuda_driver_count(const char **reason)
{
    pthread_once(&once, open_driver);
    *reason = found.reason;
    return found.count;
}
