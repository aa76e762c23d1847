/* SPDX-License-Identifier: BSD-3-Clause */
/* Text on a canvas: UTF-8, smooth at any size. A character that the typeface lacks is drawn as a box. */
#ifndef IO_PICTURE_TEXT_H
#define IO_PICTURE_TEXT_H

#include <stdbool.h>
#include "io/picture/canvas.h"

enum { TEXT_ROWS = 3, TEXT_BYTES = 256 };

/* A text broken into rows. */
typedef struct text_block {
    int rows;
    bool whole; /* false: the last row ends in "..." because the rest did not fit */
    char row[TEXT_ROWS][TEXT_BYTES];
} text_block;

/* Returns the largest font size up to the wanted one, in pixels, at which x is a whole number of pixels high,
 * so that small letters have sharp upper and lower edges. The least size has an x of 5 pixels. */
double text_size(double wanted);
/* Returns the height of a row: the highest letters reach 1.0 size above the baseline, the lowest 0.25 below.
 * */
double text_row_height(double size);
double text_width(const char *string, double size);
/* Draws one row; x is its left end. */
argand_status text_draw(canvas *picture, double x, double baseline, double size, uint32_t colour,
                        const char *string);
/* Breaks a text into rows of at most this width, at blanks if there are any. most_rows: 1 to TEXT_ROWS. */
void text_break(text_block *block, const char *string, double size, double width, int most_rows);

#endif
