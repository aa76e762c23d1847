/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG of 8 and 16 bits through libpng: its errors. */
#include "io/raster/png.h"

#include <errno.h>
#include <stdio.h>
#include "base/memory.h"

void raster_png_on_error(png_structp png, png_const_charp reason)
{
    raster_png_state *s = png_get_error_ptr(png);
    s->number = errno;
    snprintf(s->reason, sizeof s->reason, "%s", reason);
    png_longjmp(png, 1);
}

void raster_png_on_warning(png_structp png, png_const_charp reason)
{
    (void)png, (void)reason;
}

bool raster_png_guarded(argand_picture *p, void (*step)(argand_picture *p))
{
    raster_png_state *s = p->state;
    errno = 0;
    if (setjmp(png_jmpbuf(s->png))) return false;
    step(p);
    return true;
}

void raster_png_close(argand_picture *p)
{
    raster_png_state *s = p->state;
    p->state = NULL;
    if (!s) return;
    if (s->png && p->writing) png_destroy_write_struct(&s->png, &s->info);
    if (s->png) png_destroy_read_struct(&s->png, &s->info, NULL);
    memory_free(s->line);
    memory_free(s->whole);
    memory_free(s);
}
