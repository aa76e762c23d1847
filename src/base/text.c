/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends to a text that grows. */
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/plain.h"

static bool reserve(text *t, size_t more)
{
    if (t->status != ARGAND_OK) return false;
    if (t->length + more + 1 <= t->capacity) return true;
    const size_t capacity = 2 * (t->length + more + 64);
    char *chars;
    t->status = NEW(chars, capacity);
    if (t->status != ARGAND_OK) return false;
    if (t->chars) memcpy(chars, t->chars, t->length);
    memory_free(t->chars);
    t->chars = chars;
    t->capacity = capacity;
    return true;
}

void text_add_bytes(text *t, const char *bytes, size_t count)
{
    if (!reserve(t, count)) return;
    memcpy(t->chars + t->length, bytes, count);
    t->length += count;
    t->chars[t->length] = 0;
}

void text_add(text *t, const char *format, ...)
{
    va_list first, second;
    va_start(first, format);
    va_copy(second, first);
    const int count = plain_vprint(NULL, 0, format, first);
    va_end(first);
    if (count >= 0 && reserve(t, (size_t)count)) {
        plain_vprint(t->chars + t->length, (size_t)count + 1, format, second);
        t->length += (size_t)count;
    }
    va_end(second);
}

const char *text_chars(const text *t)
{
    return t->chars ? t->chars : "";
}

void text_free(text *t)
{
    memory_free(t->chars);
    *t = (text){0};
}
