/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read JPEG share. libjpeg's errors come back by longjmp: raster_jpeg_guarded is the only
 * function that calls setjmp; it owns nothing and reads no variable after an error. */
#ifndef IO_RASTER_JPEG_H
#define IO_RASTER_JPEG_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include "io/raster/raster.h"

typedef struct raster_jpeg_state {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    argand_status failure;
    char reason[JMSG_LENGTH_MAX];
    uint64_t place; /* the next byte of the file */
    unsigned char bytes[1 << 14];
    int64_t width, height; /* as stored */
    int orientation;       /* of EXIF, 1 to 8 */
    unsigned char *line;   /* one row as stored */
    unsigned char *whole;  /* all rows, where the picture is turned */
} raster_jpeg_state;

argand_status raster_jpeg_open(argand_picture *p);
argand_status raster_jpeg_decode(argand_picture *p);
argand_status raster_jpeg_read(argand_picture *p, float *row);
/* Errors, warnings, bytes of the file and limits for libjpeg. */
void raster_jpeg_prepare(argand_picture *p);
/* Runs a step that libjpeg may leave by longjmp; false where it did, with the reason in the state. */
bool raster_jpeg_guarded(argand_picture *p, void (*step)(argand_picture *p));
argand_status raster_jpeg_failed(const argand_picture *p);
/* The orientation that EXIF data name; 1 where they name none. */
int raster_jpeg_orientation(const unsigned char *exif, size_t count);
/* The pixel of the stored picture that stands at (x, y) of the upright one. */
void raster_jpeg_place(int64_t from[2], int64_t x, int64_t y, const raster_jpeg_state *s);

#endif
