/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h: what every fallible function of Argand returns, and the message that goes with it.
 *
 * Limits: messages are cut at 4095 bytes. Threads: each has a message of its own, which no other one changes;
 * all functions here may be called from any thread at any time. Refused: nothing; a status that there is not
 * has the name "unknown". NULL: is never returned. */
#ifndef ARGAND_STATUS_H
#define ARGAND_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ARGAND_API __attribute__((visibility("default")))
#define ARGAND_MUST_USE __attribute__((warn_unused_result))
#else
#define ARGAND_API
#define ARGAND_MUST_USE
#endif

typedef enum argand_status {
    ARGAND_OK = 0,
    ARGAND_ARGUMENT = 1,    /* an argument or option is wrong: shapes, ranges, null pointers */
    ARGAND_MEMORY = 2,      /* no memory left, on the host or on the device */
    ARGAND_DEVICE = 3,      /* no such device, or its driver reports an error */
    ARGAND_BUILD = 4,       /* a kernel could not be built */
    ARGAND_UNSUPPORTED = 5, /* a right request that this build or this device cannot serve */
    ARGAND_FILE = 6,        /* a file cannot be opened, read or written */
    ARGAND_FORMAT = 7,      /* a file was read but its contents make no sense */
    ARGAND_NUMERIC = 8,     /* the numbers forbid a result: NaN, singular, breakdown */
    ARGAND_STOPPED = 9,     /* the caller asked to stop (monitor returned false) */
    ARGAND_INTERNAL = 10    /* a bug in Argand */
} argand_status;

/* The message of the last error of the calling thread; "" if there was none. Valid until that thread's next
 * error. */
ARGAND_API const char *argand_message(void);

/* The short name of a status: "file" is ARGAND_FILE's. */
ARGAND_API const char *argand_status_name(argand_status status);

/* "0.1.0" */
ARGAND_API const char *argand_version(void);

#ifdef __cplusplus
}
#endif
#endif
