/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds a line to the notes unless the notes contain it. */
#include "recon/session/session.h"

#include <stdarg.h>
#include <stdio.h>

void note_once(argand_sense *s, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!strstr(text_chars(&s->notes), message)) text_add(&s->notes, "%s\n", message);
}
