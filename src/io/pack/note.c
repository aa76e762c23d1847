/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes notes about the scan that is made of arrays: how its axes and units were understood. */
#include <stdarg.h>
#include <stdio.h>
#include "io/ismrmrd/scan.h"
#include "io/pack/pack.h"

void pack_note(const packing *p, const char *format, ...)
{
    char sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (p->options->note)
        p->options->note(p->options->note_context, sentence);
    else
        text_add(&p->owner->notes, "%s\n", sentence);
}
