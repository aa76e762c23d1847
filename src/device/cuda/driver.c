/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the CUDA driver and finds its functions at run time. */
#include "device/cuda/context.h"

cuda_driver cu = {.common = {.device_memory = CU_MEMORYTYPE_DEVICE}};
static gpu_found found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define COMMON(name, symbol, hip, parameters) {symbol, offsetof(cuda_driver, common.name), true},
#define COMMON_OPTIONAL(name, symbol, hip, parameters) {symbol, offsetof(cuda_driver, common.name), false},
#define OWN(name, symbol, parameters) {symbol, offsetof(cuda_driver, name), true},
#define OWN_OPTIONAL(name, symbol, parameters) {symbol, offsetof(cuda_driver, name), false},
static const foreign_function functions[] = {GPU_FUNCTIONS(COMMON) CUDA_FUNCTIONS(OWN) GPU_OPTIONAL_FUNCTIONS(
    COMMON_OPTIONAL) CUDA_OPTIONAL_FUNCTIONS(OWN_OPTIONAL){NULL, 0, false}};

static void open_driver(void)
{
    gpu_open_driver(&found, &cuda_vendor, (const char *const[]){"libcuda.so.1", NULL}, FOREIGN_DRIVER,
                    functions, &cu);
}

int cuda_driver_count(const char **reason)
{
    pthread_once(&once, open_driver);
    *reason = found.reason;
    return found.count;
}
