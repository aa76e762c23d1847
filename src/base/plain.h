/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text with a decimal point in every locale, for all texts and files that the library reads and
 * writes. */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

#include <stdarg.h>
#include <stddef.h>

/* vsnprintf and snprintf. */
int plain_vprint(char *chars, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int plain_print(char *chars, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* strtod */
double plain_number(const char *chars, char **end);

#endif
