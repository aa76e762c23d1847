/* SPDX-License-Identifier: BSD-3-Clause */
/* What reading and writing of TIFF through libtiff share. */
#ifndef IO_RASTER_TIFF_H
#define IO_RASTER_TIFF_H

#include <tiffio.h>
#include "io/raster/raster.h"

typedef struct raster_tiff_state {
    TIFF *file;
    char reason[200];
    int64_t place;       /* in the file that is read, or written */
    unsigned char *line; /* a row, or a tile, as stored */
    float *whole;        /* planes of pictures that do not come row by row */
    uint16_t compression;
    bool inverted; /* 0 is white */
    int sample_bytes;
} raster_tiff_state;

argand_status raster_tiff_open(argand_picture *p);
argand_status raster_tiff_decode(argand_picture *p);
argand_status raster_tiff_read(argand_picture *p, float *row);
argand_status raster_tiff_create(argand_picture *p, const argand_picture *like);
argand_status raster_tiff_write(argand_picture *p, const float *row);
argand_status raster_tiff_complete(argand_picture *p);

/* Opens p's file or draft with libtiff; mode as its own. */
argand_status raster_tiff_begin(argand_picture *p, const char *mode);
unsigned raster_tiff_levels(const argand_picture *p); /* 255, 65535; 0 for floats */

#endif
