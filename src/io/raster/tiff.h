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
    bool inverted;     /* 0 means white */
    bool multiplied;   /* whole numbers with a curve are stored as code times alpha */
    bool several;      /* reading: further pictures follow in the file */
    int sample_bytes;  /* writing */
    unsigned bits;     /* reading: of a stored sample */
    int stored;        /* reading: channels in the file; a palette has 1, which is shown as 3 */
    uint16_t *palette; /* reading: codes of red, green and blue; NULL: no palette */
} raster_tiff_state;

/* Where the samples of a channel are in a row: `first`, and then each that is `apart` from the last. */
typedef struct raster_tiff_step {
    int64_t first, apart;
} raster_tiff_step;

argand_status raster_tiff_open(argand_picture *p);
argand_status raster_tiff_decode(argand_picture *p);
argand_status raster_tiff_read(argand_picture *p, float *row);
argand_status raster_tiff_create(argand_picture *p, const argand_picture *like);
argand_status raster_tiff_write(argand_picture *p, const float *row);
argand_status raster_tiff_complete(argand_picture *p);
void raster_tiff_close(argand_picture *p);

/* Set the kind of samples, and the palette if there is one; refuse what is not read. */
argand_status raster_tiff_find_sample(argand_picture *p);
argand_status raster_tiff_find_palette(argand_picture *p);
/* Decodes `count` samples of a channel to light, or to fractions of the levels if colours are multiplied. */
void raster_tiff_take(const argand_picture *p, float *to, const unsigned char *line, int64_t count,
                      raster_tiff_step step, int channel);
/* Bytes of a row of pixels, as libtiff gives it: rows begin at whole bytes. */
size_t raster_tiff_row_bytes(const argand_picture *p, int64_t pixels, int channels);
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
