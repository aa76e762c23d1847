/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of the notes that is said once. */
#include "recon/session/session.h"

#include <stdarg.h>
#include <stdio.h>

void note_once(argand_sense *s, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!strstr(text_chars(&s->notes), words)) text_add(&s->notes, "%s\n", words);
}
