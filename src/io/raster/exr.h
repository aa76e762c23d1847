/* SPDX-License-Identifier: BSD-3-Clause */
/* What reading and writing of OpenEXR share. Through OpenEXRCore, the C library of OpenEXR 3.1 and later. */
#ifndef IO_RASTER_EXR_H
#define IO_RASTER_EXR_H

#include <openexr.h>
#include "io/raster/raster.h"

typedef struct raster_exr_state {
    exr_context_t context;
    int part;
    exr_attr_box2i_t window;
    exr_compression_t compression;
    int stored;                         /* channels of the file */
    int place[ARGAND_PICTURE_CHANNELS]; /* where each of them goes among ours; chroma: 0 Y, 1 RY, 2 BY */
    exr_pixel_type_t type[ARGAND_PICTURE_CHANNELS];
    int chunk_lines;
    int64_t chunk_start, chunk_rows; /* rows of the picture that `samples` holds */
    void *samples;                   /* planes of a chunk, or of the whole picture (whole) */
    bool whole, chroma;
    bool decoding; /* the pipeline is set up */
    exr_decode_pipeline_t decode;
    double luminance[3]; /* of red, green, blue */
} raster_exr_state;

argand_status raster_exr_open(argand_picture *p);
argand_status raster_exr_read(argand_picture *p, float *row);
argand_status raster_exr_create(argand_picture *p, const argand_picture *like);
argand_status raster_exr_write(argand_picture *p, const float *row);
argand_status raster_exr_complete(argand_picture *p);

/* exr_attributes.c: attributes that do not say how samples are stored. */
exr_result_t raster_exr_copy_attributes(raster_exr_state *to, const raster_exr_state *from);

/* Tiles of the finest level and files of luminance and chroma, into planes of the whole picture. */
argand_status raster_exr_read_whole(argand_picture *p);
/* R, G and B in place of Y, RY and BY, whose planes come one after the other; chroma has half the samples
 * along both axes. */
argand_status raster_exr_chroma_to_colour(float *planes, const float *chroma, int64_t width, int64_t height,
                                          const double luminance[3]);
/* Decodes one chunk: each channel to planes[channel] + its place, `line` floats from line to line. */
argand_status raster_exr_decode(argand_picture *p, const exr_chunk_info_t *chunk, float *const *to,
                                const int64_t *lines);

/* The start of every context: no printing, limits, allocations that a damaged size cannot make large. */
exr_context_initializer_t raster_exr_beginning(argand_picture *p);
/* The status of a result, with the message that OpenEXRCore gave last. */
argand_status raster_exr_failed(const argand_picture *p, exr_result_t result);

#endif
