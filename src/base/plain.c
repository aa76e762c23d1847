/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints and reads numbers with a decimal point in any locale. */
#include "base/plain.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain; /* kept until the program ends */

static void make(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Switches this thread to the C locale; returns the former locale. If there was no memory for the C
 * locale, the thread keeps the program's locale, because uselocale(0) changes nothing. */
static locale_t enter(void)
{
    pthread_once(&once, make);
    return uselocale(plain);
}

int plain_vprint(char *chars, size_t size, const char *format, va_list arguments)
{
    const locale_t before = enter();
    const int count = vsnprintf(chars, size, format, arguments);
    uselocale(before);
    return count;
}

int plain_print(char *chars, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int count = plain_vprint(chars, size, format, arguments);
    va_end(arguments);
    return count;
}

double plain_number(const char *chars, char **end)
{
    const locale_t before = enter();
    const double number = strtod(chars, end);
    uselocale(before);
    return number;
}
