/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the OpenCL loader, finds its functions, and names its errors. */
#include "device/opencl/driver.h"

#include <stdio.h>
#include "base/system/system.h"
#include "device/libraries/foreign.h"

opencl_driver cl;

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

#ifdef __APPLE__
#define LOADER "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
#define LOADER "libOpenCL.so.1"
#endif

bool opencl_driver_open(char *reason, size_t size)
{
    const char *named = system_trusted_variable("ARGAND_OPENCL_LIBRARY");
    const char *names[] = {named && *named ? named : LOADER, NULL};
    return foreign_open(names, FOREIGN_PACKAGE, functions, &cl, reason, size);
}
