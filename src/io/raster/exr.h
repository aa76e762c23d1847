/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by reading and writing of OpenEXR. */
#ifndef IO_RASTER_EXR_H
#define IO_RASTER_EXR_H

#include "io/raster/exr_file.h"
#include "io/raster/raster.h"

typedef struct raster_exr_state {
    raster_exr_bytes bytes;
    raster_exr_head head;
    raster_exr_file *file;              /* read */
    raster_exr_draft *draft;            /* written */
    int place[ARGAND_PICTURE_CHANNELS]; /* where the file's channels go among ours; chroma: 0 Y, 1 RY, 2 BY */
    void *row;                          /* a line of each channel of the file, 4 bytes a sample */
    bool chroma;
    float *planes;       /* chroma: the whole picture in colour */
    double luminance[3]; /* of red, green, blue */
} raster_exr_state;

argand_status raster_exr_open(argand_picture *p);
argand_status raster_exr_decode(argand_picture *p);
argand_status raster_exr_read(argand_picture *p, float *row);
argand_status raster_exr_create(argand_picture *p, const argand_picture *like);
argand_status raster_exr_write(argand_picture *p, const float *row);
argand_status raster_exr_complete(argand_picture *p);

/* Looks at the headers before the library does: attributes lie in the file, compressions are known. */
argand_status raster_exr_check_headers(const argand_picture *p);
/* The channels of the file as the picture's: order, names, which are light. */
argand_status raster_exr_take_channels(argand_picture *p);
/* Luminance and chroma, into planes of the whole picture. */
argand_status raster_exr_read_chroma(argand_picture *p);
/* The file's line of a channel of the file. */
void *raster_exr_line(const argand_picture *p, int channel);
/* A line for each channel: pointers that the library is given. */
argand_status raster_exr_make_lines(argand_picture *p, void **lines);
/* The status of an outcome, with the library's reason. */
argand_status raster_exr_failed(const argand_picture *p, raster_exr_outcome outcome);

#endif
