/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture to draw on: grey or colour, 8 bits per channel, rows from the top. Parts outside the picture
 * are clipped. */
#ifndef IO_CANVAS_H
#define IO_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct canvas {
    int width, height, channels; /* 1: grey, 3: red, green, blue */
    uint8_t *pixels;
} canvas;

/* A colour is 0xRRGGBB; a grey canvas uses its blue byte. */
argand_status canvas_new(canvas *picture, int width, int height, int channels, uint32_t colour);
void canvas_free(canvas *picture);
/* Mixes a colour into a pixel. cover: 0 (none) to 1 (full). */
void canvas_blend(canvas *picture, int x, int y, uint32_t colour, double cover);
void canvas_box(canvas *picture, int x, int y, int width, int height, uint32_t colour);
/* Draws a smooth stroke between two points. Pixel centres have whole coordinates. */
void canvas_stroke(canvas *picture, const double from[2], const double to[2], double thickness,
                   uint32_t colour);

#endif
