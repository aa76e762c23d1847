/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that read JPEG. libjpeg's errors return by longjmp. raster_jpeg_guarded is the only
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
    uint64_t place; /* offset of the next byte of the file */
    unsigned char bytes[1 << 14];
    unsigned char *line;  /* one row as stored */
    unsigned char *whole; /* all rows, if the picture is rotated or mirrored */
} raster_jpeg_state;

argand_status raster_jpeg_open(argand_picture *p);
argand_status raster_jpeg_decode(argand_picture *p);
argand_status raster_jpeg_read(argand_picture *p, float *row);
void raster_jpeg_close(argand_picture *p);
/* Sets libjpeg's functions for errors, warnings and bytes of the file, and its limits. */
void raster_jpeg_prepare(argand_picture *p);
/* Runs a step that libjpeg may leave by longjmp. Returns false in that case, with the reason in the state. */
bool raster_jpeg_guarded(argand_picture *p, void (*step)(argand_picture *p));
argand_status raster_jpeg_failed(const argand_picture *p);

#endif
