/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by reading and writing of PNG. libpng's errors return by longjmp. raster_png_guarded is the only
 * function that calls setjmp; it owns nothing and reads no variable after an error. */
#ifndef IO_RASTER_PNG_H
#define IO_RASTER_PNG_H

#include <png.h>
#include "io/raster/raster.h"

typedef struct raster_png_state {
    png_structp png;
    png_infop info;
    int number; /* errno when the error was found */
    char reason[128];
    uint64_t place;       /* reading: offset of the next byte of the file */
    unsigned char *line;  /* one row as stored */
    unsigned char *whole; /* all rows of a picture that is interlaced or turned */
    size_t line_bytes;
    const argand_picture *like; /* used only in create */
} raster_png_state;

argand_status raster_png_open(argand_picture *p);
argand_status raster_png_decode(argand_picture *p);
argand_status raster_png_read(argand_picture *p, float *row);
argand_status raster_png_create(argand_picture *p, const argand_picture *like);
argand_status raster_png_write(argand_picture *p, const float *row);
argand_status raster_png_finish(argand_picture *p);
void raster_png_close(argand_picture *p);
/* Runs a step that libpng may leave by longjmp. Returns false in that case, with the message in the state. */
bool raster_png_guarded(argand_picture *p, void (*step)(argand_picture *p));
/* Chunks that libpng hands over unread. keep: before they are read or written. orientation: of EXIF, 1 to 8.
 * use_coding: takes the transfer curve of cICP; refuses HDR. */
void raster_png_keep_chunks(png_structp png);
int raster_png_orientation(const raster_png_state *s);
void raster_png_note_frames(argand_picture *p);
argand_status raster_png_use_coding(argand_picture *p, bool *known);
void raster_png_copy_coding(raster_png_state *to, const raster_png_state *from);
/* Error and warning functions for png_create_*_struct. */
void raster_png_on_error(png_structp png, png_const_charp reason);
void raster_png_on_warning(png_structp png, png_const_charp reason);

#endif
