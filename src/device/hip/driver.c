/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the HIP driver and finds its functions at run time. */
#include "device/hip/context.h"

hip_driver hip;
const char *const hip_driver_names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so", NULL};
static gpu_found found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define COMMON(name, cuda, symbol, parameters) {symbol, offsetof(hip_driver, common.name), true},
#define COMMON_OPTIONAL(name, cuda, symbol, parameters) {symbol, offsetof(hip_driver, common.name), false},
#define OWN(name, symbol, result, parameters) {symbol, offsetof(hip_driver, name), true},
#define OWN_OPTIONAL(name, symbol, result, parameters) {symbol, offsetof(hip_driver, name), false},
static const foreign_function functions[] = {GPU_FUNCTIONS(COMMON) HIP_FUNCTIONS(OWN) GPU_OPTIONAL_FUNCTIONS(
    COMMON_OPTIONAL) HIP_OPTIONAL_FUNCTIONS(OWN_OPTIONAL){NULL, 0, false}};

static void open_driver(void)
{
    int version = 0;
    gpu_open_driver(&found, &hip_vendor, hip_driver_names, FOREIGN_ROCM, functions, &hip);
    if (!found.count) return;
    if (hip.common.DriverGetVersion(&version)) {
        found = (gpu_found){.count = 0, .reason = "the AMD driver does not tell its version"};
        return;
    }
    hip.common.device_memory = version < HIP_VERSION_6 ? hipMemoryTypeDeviceBefore6 : hipMemoryTypeDevice;
}

int hip_driver_count(const char **reason)
{
    pthread_once(&once, open_driver);
    *reason = found.reason;
    return found.count;
}
