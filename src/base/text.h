/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows. An error sticks: append freely, test once with text_status. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

typedef struct text {
    char *chars; /* NUL-ended; NULL while empty */
    size_t length, capacity;
    argand_status status;
} text;

void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(text *t, const char *bytes, size_t count);
/* The ending of a noun of which there are n. */
static inline const char *plural_s(int64_t n)
{
    return n == 1 ? "" : "s";
}

const char *text_chars(const text *t); /* "" while empty */
void text_free(text *t);

#endif
