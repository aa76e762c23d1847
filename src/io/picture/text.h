/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws text on a canvas: UTF-8, smooth at any size. A missing character is drawn as a rectangle. */
#ifndef IO_PICTURE_TEXT_H
#define IO_PICTURE_TEXT_H

#include <stdbool.h>
#include "io/picture/canvas.h"

enum { TEXT_ROWS = 3, TEXT_BYTES = 256 };

/* A text that is broken into rows. */
typedef struct text_block {
    int rows;
    bool whole; /* false: the last row ends in "..." because the rest did not fit */
    char row[TEXT_ROWS][TEXT_BYTES];
} text_block;

/* Returns the largest font size up to `wanted`, in pixels, at which x is a whole number of pixels high.
 * Small letters then have sharp upper and lower edges. At the least size x is 5 pixels high. */
double text_size(double wanted);
/* Returns the height of a row: letters reach from 0.25 size below the baseline to 1.0 size above it. */
double text_row_height(double size);
double text_width(const char *string, double size);
/* Draws one row that starts at x. */
argand_status text_draw(canvas *picture, double x, double baseline, double size, uint32_t colour,
                        const char *string);
/* Breaks a text into rows of at most this width, preferably at blanks. most_rows: 1 to TEXT_ROWS. */
void text_break(text_block *block, const char *string, double size, double width, int most_rows);

#endif
