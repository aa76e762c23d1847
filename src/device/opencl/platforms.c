/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the devices of all OpenCL platforms, or says why there are none. */
#include "device/opencl/platforms.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 128 };
static struct {
    int count;
    opencl_place places[MOST_DEVICES];
    char reason[640];
} found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

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

bool opencl_platform_is(cl_platform platform, const char *product)
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
    return opencl_platform_is(platform, "PoCL 5.0");
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

static void open_and_find(void)
{
    char reason[320];
    if (opencl_driver_open(reason, sizeof reason))
        find_devices();
    else
        snprintf(found.reason, sizeof found.reason,
                 "there is no OpenCL loader: %s; install one (ocl-icd-libopencl1)", reason);
}

int opencl_platforms_count(const char **reason)
{
    pthread_once(&once, open_and_find);
    *reason = found.reason;
    return found.count;
}

opencl_place opencl_platforms_place(int index)
{
    return found.places[index];
}
