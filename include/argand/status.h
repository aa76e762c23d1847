/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h: the status that functions return, and the message of the last error.
 *
 * Limits: messages are cut at 4095 bytes. Threads: all functions here may be called from any thread at any
 * time; each thread has its own message. Refused: nothing; the name of an unknown status is "unknown". NULL:
 * no function here returns NULL. */
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
    ARGAND_ARGUMENT = 1,    /* a wrong argument or option: shapes, ranges, null pointers */
    ARGAND_MEMORY = 2,      /* no memory left, on the host or on the device */
    ARGAND_DEVICE = 3,      /* no such device, or its driver reports an error */
    ARGAND_BUILD = 4,       /* a kernel could not be built */
    ARGAND_UNSUPPORTED = 5, /* a valid request that this build or device cannot serve */
    ARGAND_FILE = 6,        /* a file cannot be opened, read or written */
    ARGAND_FORMAT = 7,      /* the contents of a file are invalid */
    ARGAND_NUMERIC = 8,     /* no result for these numbers: NaN, singular matrix, breakdown of a solver */
    ARGAND_STOPPED = 9,     /* the caller asked to stop (monitor returned false) */
    ARGAND_INTERNAL = 10    /* a bug in Argand */
} argand_status;

/* Returns the message of the calling thread's last error, or "". The text is valid until the next error of
 * this thread. */
ARGAND_API const char *argand_message(void);

/* Returns the short name of a status, such as "file" for ARGAND_FILE. */
ARGAND_API const char *argand_status_name(argand_status status);

/* Returns the version, such as "0.1.0". */
ARGAND_API const char *argand_version(void);

#ifdef __cplusplus
}
#endif
#endif
