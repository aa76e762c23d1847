/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing text. The first error is kept: append freely and check once with text_status. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

typedef struct text {
    char *chars; /* NUL-terminated; NULL if empty */
    size_t length, capacity;
    argand_status status;
} text;

void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(text *t, const char *bytes, size_t count);
/* Returns the plural ending for n items. */
static inline const char *plural_s(int64_t n)
{
    return n == 1 ? "" : "s";
}

const char *text_chars(const text *t); /* "" if empty */
void text_free(text *t);

#endif
