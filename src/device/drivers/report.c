/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of failures, alike for all backends with a driver. */
#include "device/drivers/report.h"

#include <stdio.h>
#include <string.h>

argand_status report_failure(argand_status status, report_device device, const char *reason, const char *what,
                             va_list arguments)
{
    char tried[512];
    vsnprintf(tried, sizeof tried, what, arguments);
    return status_set(status, "%s:%d (%s): %s: %s", device.backend, device.index, device.name, tried, reason);
}

const char *report_first_error(const char *log)
{
    const char *error = log ? strstr(log, "error") : NULL;
    while (error && error > log && error[-1] != '\n') error--;
    return error ? error : log ? log : "";
}
