/* SPDX-License-Identifier: BSD-3-Clause */
/* The calling thread's last error: its message, and the names of the status codes. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/given.h"
#include "base/plain.h"

static _Thread_local char message[4096]; /* messages of compilers are long */

const char *argand_message(void)
{
    return message;
}

const char *argand_version(void)
{
    return ARGAND_VERSION;
}

const char *argand_status_name(argand_status status)
{
    static const char *const names[] = {
        [ARGAND_OK] = "ok",
        [ARGAND_ARGUMENT] = "bad argument",
        [ARGAND_MEMORY] = "out of memory",
        [ARGAND_DEVICE] = "device",
        [ARGAND_BUILD] = "kernel build",
        [ARGAND_UNSUPPORTED] = "unsupported",
        [ARGAND_FILE] = "file",
        [ARGAND_FORMAT] = "file format",
        [ARGAND_NUMERIC] = "numeric",
        [ARGAND_STOPPED] = "stopped",
        [ARGAND_INTERNAL] = "internal",
    };
    const size_t count = sizeof names / sizeof *names;
    return (size_t)status < count ? names[status] : "unknown";
}

argand_status status_set(argand_status code, const char *format, ...)
{
    char begin[sizeof message]; /* a copy, because the arguments may point into the message */
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(begin, sizeof begin, format, arguments);
    va_end(arguments);
    memcpy(message, begin, sizeof message);
    return code;
}

argand_status status_prefix(argand_status code, const char *format, ...)
{
    char begin[sizeof message], rest[sizeof message];
    memcpy(rest, message, sizeof rest);
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(begin, sizeof begin, format, arguments);
    va_end(arguments);
    const size_t used = strlen(begin);
    memcpy(message, begin, used);
    snprintf(message + used, sizeof message - used, "%s", rest);
    return code;
}

argand_status check_given(const char *name, const void *place, const void *device, const void *options)
{
    CHECK(place && device && options, ARGAND_ARGUMENT, "%s: no %s given", name,
          !place    ? "place"
          : !device ? "device"
                    : "options");
    return ARGAND_OK;
}
