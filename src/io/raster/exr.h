/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by reading and writing of OpenEXR. */
#ifndef IO_RASTER_EXR_H
#define IO_RASTER_EXR_H

#include "io/raster/exr_file.h"
#include "io/raster/raster.h"

typedef struct raster_exr_state {
    raster_exr_bytes bytes;
    raster_exr_head head;
    raster_exr_file *file;              /* NULL when writing */
    raster_exr_draft *draft;            /* NULL when reading */
    int place[ARGAND_PICTURE_CHANNELS]; /* index in the picture of each channel; chroma: 0 Y, 1 RY, 2 BY */
    void *row;                          /* one line of each channel of the file, 4 bytes per sample */
    bool chroma;
    float *planes;       /* chroma: the whole picture as red, green, blue */
    double luminance[3]; /* of red, green, blue */
} raster_exr_state;

argand_status raster_exr_open(argand_picture *p);
argand_status raster_exr_decode(argand_picture *p);
argand_status raster_exr_read(argand_picture *p, float *row);
argand_status raster_exr_create(argand_picture *p, const argand_picture *like);
argand_status raster_exr_write(argand_picture *p, const float *row);
argand_status raster_exr_complete(argand_picture *p);
void raster_exr_close(argand_picture *p);

/* Checks the headers before the library reads them: attributes must lie within the file, compressions must
 * be known. */
argand_status raster_exr_check_headers(const argand_picture *p);
/* Sets order and names of the picture's channels from the file, and which channels are light. */
argand_status raster_exr_take_channels(argand_picture *p);
/* Reads luminance and chroma, and converts the whole picture to planes of red, green, blue. */
argand_status raster_exr_read_chroma(argand_picture *p);
/* Returns the line buffer of a channel of the file. */
void *raster_exr_line(const argand_picture *p, int channel);
/* Allocates a line buffer for each channel, and sets the pointers for the library. */
argand_status raster_exr_make_lines(argand_picture *p, void **lines);
/* Converts an outcome to a status, with the library's reason as message. */
argand_status raster_exr_failed(const argand_picture *p, raster_exr_outcome outcome);

#endif
