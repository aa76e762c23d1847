/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the OpenCL loader, finds its functions, and lists the devices of all platforms. */
#include "device/opencl/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/system/system.h"
#include "device/libraries/foreign.h"

opencl_driver cl;

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 128 };
static struct {
    int count;
    opencl_place places[MOST_DEVICES];
    char reason[640];
} found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define NEEDED(name, symbol, result, parameters) {symbol, offsetof(opencl_driver, name), true},
static const foreign_function functions[] = {OPENCL_FUNCTIONS(NEEDED){NULL, 0, false}};

/* Error codes of cl.h as text; codes that are missing here are unused. */
static const struct {
    cl_int code;
    const char *name;
} codes[] = {
    {-1, "CL_DEVICE_NOT_FOUND"},
    {-2, "CL_DEVICE_NOT_AVAILABLE"},
    {-3, "CL_COMPILER_NOT_AVAILABLE"},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {-5, "CL_OUT_OF_RESOURCES"},
    {-6, "CL_OUT_OF_HOST_MEMORY"},
    {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    {-8, "CL_MEM_COPY_OVERLAP"},
    {-11, "CL_BUILD_PROGRAM_FAILURE"},
    {-12, "CL_MAP_FAILURE"},
    {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {-15, "CL_COMPILE_PROGRAM_FAILURE"},
    {-16, "CL_LINKER_NOT_AVAILABLE"},
    {-17, "CL_LINK_PROGRAM_FAILURE"},
    {-30, "CL_INVALID_VALUE"},
    {-31, "CL_INVALID_DEVICE_TYPE"},
    {-32, "CL_INVALID_PLATFORM"},
    {-33, "CL_INVALID_DEVICE"},
    {-34, "CL_INVALID_CONTEXT"},
    {-35, "CL_INVALID_QUEUE_PROPERTIES"},
    {-36, "CL_INVALID_COMMAND_QUEUE"},
    {-37, "CL_INVALID_HOST_PTR"},
    {-38, "CL_INVALID_MEM_OBJECT"},
    {-42, "CL_INVALID_BINARY"},
    {-43, "CL_INVALID_BUILD_OPTIONS"},
    {-44, "CL_INVALID_PROGRAM"},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {-46, "CL_INVALID_KERNEL_NAME"},
    {-47, "CL_INVALID_KERNEL_DEFINITION"},
    {-48, "CL_INVALID_KERNEL"},
    {-49, "CL_INVALID_ARG_INDEX"},
    {-50, "CL_INVALID_ARG_VALUE"},
    {-51, "CL_INVALID_ARG_SIZE"},
    {-52, "CL_INVALID_KERNEL_ARGS"},
    {-53, "CL_INVALID_WORK_DIMENSION"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE"},
    {-56, "CL_INVALID_GLOBAL_OFFSET"},
    {-57, "CL_INVALID_EVENT_WAIT_LIST"},
    {-58, "CL_INVALID_EVENT"},
    {-59, "CL_INVALID_OPERATION"},
    {-61, "CL_INVALID_BUFFER_SIZE"},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {-64, "CL_INVALID_PROPERTY"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    {-9999,
     "NVIDIA: an earlier kernel read or wrote memory that is not its own; ARGAND_LAUNCH_BLOCKING=1 names it"},
};

void opencl_error_text(cl_int code, char *reason, size_t size)
{
    const char *name = "an error without a name";
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code) name = codes[i].name;
    snprintf(reason, size, "%s (%d)", name, (int)code);
}

void opencl_device_text(cl_device device, cl_uint what, char *out, size_t size)
{
    char text[16384];
    size_t length = 0;
    out[0] = 0;
    if (cl.GetDeviceInfo(device, what, sizeof text - 1, text, &length) || length >= sizeof text) return;
    text[length] = 0;
    snprintf(out, size, "%s", text + strspn(text, " "));
}

static bool is_true(cl_device device, cl_uint what)
{
    cl_uint answer = 0;
    return !cl.GetDeviceInfo(device, what, sizeof answer, &answer, NULL) && answer;
}

bool opencl_driver_is(cl_platform platform, const char *product)
{
    char version[512];
    size_t length = 0;
    if (cl.GetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version, &length)) return false;
    version[length < sizeof version ? length : 0] = 0;
    return strstr(version, product) != NULL;
}

/* Returns true for PoCL 5.0, which gave wrong sums and aborted on loops with barriers. The aborts match its
 * issue 1435, which PoCL 6.0 mends: https://github.com/pocl/pocl/issues/1435. The wrong sums were not seen
 * with 6.0 and 7.1; their cause is not known. */
static bool is_faulty(cl_platform platform)
{
    return opencl_driver_is(platform, "PoCL 5.0");
}

/* Adds the devices of a platform that are available and can compute. */
static void add_devices(cl_platform platform)
{
    cl_device all[MOST_DEVICES];
    cl_uint count = 0;
    if (cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, all, &count)) return;
    for (cl_uint i = 0; i < count && i < MOST_DEVICES && found.count < MOST_DEVICES; i++)
        if (is_true(all[i], CL_DEVICE_AVAILABLE) && is_true(all[i], CL_DEVICE_COMPILER_AVAILABLE))
            found.places[found.count++] = (opencl_place){platform, all[i]};
}

static void find_devices(void)
{
    cl_platform platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    char reason[64];
    const cl_int error = cl.GetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    if (error && error != CL_PLATFORM_NOT_FOUND_KHR) {
        opencl_error_text(error, reason, sizeof reason);
        snprintf(found.reason, sizeof found.reason, "the OpenCL loader says: %s", reason);
        return;
    }
    if (error || !count) {
        snprintf(found.reason, sizeof found.reason,
                 "the OpenCL loader finds no platform; install a driver's ICD (for example pocl-opencl-icd "
                 "for the processor)");
        return;
    }
    bool faulty = false;
    for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++)
        if (is_faulty(platforms[i]))
            faulty = true;
        else
            add_devices(platforms[i]);
    if (!found.count && faulty)
        snprintf(found.reason, sizeof found.reason,
                 "PoCL 5.0 is not used, because it aborted and gave wrong sums in tests; install PoCL 3.1, "
                 "6.0 or 7.1");
    else if (!found.count)
        snprintf(found.reason, sizeof found.reason,
                 "the OpenCL platforms (%u) have no device that can be used", (unsigned)count);
}

#ifdef __APPLE__
#define LOADER "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
#define LOADER "libOpenCL.so.1"
#endif

static void open_driver(void)
{
    const char *named = system_trusted_variable("ARGAND_OPENCL_LIBRARY");
    const char *names[] = {named && *named ? named : LOADER, NULL};
    char reason[320];
    if (foreign_open(names, FOREIGN_PACKAGE, functions, &cl, reason, sizeof reason))
        find_devices();
    else
        snprintf(found.reason, sizeof found.reason,
                 "there is no OpenCL loader: %s; install one (ocl-icd-libopencl1)", reason);
}

int opencl_driver_count(const char **reason)
{
    pthread_once(&once, open_driver);
    *reason = found.reason;
    return found.count;
}

opencl_place opencl_driver_place(int index)
{
    return found.places[index];
}
