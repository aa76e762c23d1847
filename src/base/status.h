/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors inside the library: TRY returns a failure, CHECK sets the message. In functions that own objects,
 * the _OR_DONE forms jump to `done:`, where all objects are released in reverse order and `status` is
 * returned. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <argand/status.h>

/* Sets the thread's message, printf style, and returns the code. */
argand_status status_set(argand_status code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts text such as "brain.h5: " before the present message; returns the code. */
argand_status status_prefix(argand_status code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define TRY(call)                                       \
    do {                                                \
        const argand_status try_status = (call);        \
        if (try_status != ARGAND_OK) return try_status; \
    } while (0)

#define CHECK(condition, code, ...)                             \
    do {                                                        \
        if (!(condition)) return status_set(code, __VA_ARGS__); \
    } while (0)

#define TRY_OR_DONE(call)                   \
    do {                                    \
        status = (call);                    \
        if (status != ARGAND_OK) goto done; \
    } while (0)

#define CHECK_OR_DONE(condition, code, ...)         \
    do {                                            \
        if (!(condition)) {                         \
            status = status_set(code, __VA_ARGS__); \
            goto done;                              \
        }                                           \
    } while (0)

#endif
