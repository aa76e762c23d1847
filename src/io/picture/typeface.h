/* SPDX-License-Identifier: BSD-3-Clause */
/* The typeface of captions and plots: a subset of DejaVu Sans, embedded as a TrueType file (typeface.ttf).
 * The reader supports only what this file contains: no hints, and composite glyphs that only shift their
 * parts. */
#ifndef IO_TYPEFACE_H
#define IO_TYPEFACE_H

#include <stdbool.h>
#include <stdint.h>
#include "io/picture/coverage.h"

/* A file in the list that embed.cmake writes; NULL ends the list. */
typedef struct typeface_file {
    const char *name, *bytes;
} typeface_file;
extern const typeface_file typeface_files[];

/* Returns the number of a character's glyph. 0 is the rectangle for missing characters. */
unsigned typeface_glyph(uint32_t code);
/* Returns the advance of the pen after the character, as a fraction of the font size. */
double typeface_advance(uint32_t code);
/* Adds the outline of a character with the pen at (x, baseline), in pixels. */
void typeface_trace(coverage *onto, uint32_t code, double size, double x, double baseline);

#endif
