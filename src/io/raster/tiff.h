/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by reading and writing of TIFF through libtiff. */
#ifndef IO_RASTER_TIFF_H
#define IO_RASTER_TIFF_H

#include <tiffio.h>
#include "io/raster/raster.h"

typedef struct raster_tiff_state {
    TIFF *file;
    char reason[200];
    int64_t place;       /* offset in the input or output file */
    unsigned char *line; /* one row or tile, as stored */
    float *whole;        /* planes of pictures that cannot be read row by row */
    uint16_t compression;
    bool inverted;   /* 0 means white */
    bool multiplied; /* whole numbers with a curve are stored as code times alpha */
    bool several;    /* reading: further pictures follow in the file */
    int sample_bytes;
} raster_tiff_state;

argand_status raster_tiff_open(argand_picture *p);
argand_status raster_tiff_decode(argand_picture *p);
argand_status raster_tiff_read(argand_picture *p, float *row);
argand_status raster_tiff_create(argand_picture *p, const argand_picture *like);
argand_status raster_tiff_write(argand_picture *p, const float *row);
argand_status raster_tiff_complete(argand_picture *p);
void raster_tiff_close(argand_picture *p);

/* Opens p's file or draft with libtiff. mode: as for TIFFOpen. */
argand_status raster_tiff_begin(argand_picture *p, const char *mode);
unsigned raster_tiff_levels(const argand_picture *p); /* 255, 65535; 0 for floats */
/* Returns true for whole numbers with a curve and associated alpha. TIFF 6.0 leaves open whether colours are
 * multiplied before or after the curve; Photoshop and libtiff multiply the codes. */
bool raster_tiff_multiplied(const argand_picture *p);
/* Name the kind of a file that is not read, for messages. */
const char *raster_tiff_colours(uint16_t photometric);
const char *raster_tiff_method(uint16_t compression);

#endif
