/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of failures, alike for all backends with a driver. */
#ifndef DEVICE_DRIVERS_REPORT_H
#define DEVICE_DRIVERS_REPORT_H

#include <stdarg.h>
#include "base/status.h"

/* The device that failed: "cuda:0 (NVIDIA H200)". */
typedef struct report_device {
    const char *backend;
    int index;
    const char *name;
} report_device;

/* Sets the message "DEVICE: WHAT: REASON". what is a format for the arguments; reason is the driver's
 * name of the error and its text. Returns `status`. */
argand_status report_failure(argand_status status, report_device device, const char *reason, const char *what,
                             va_list arguments);

/* Returns where a compiler's log begins to matter: the line of its first error, so that warnings do not
 * push the error out of the message. The whole log if it has no error; "" for NULL. */
const char *report_first_error(const char *log);

#endif
