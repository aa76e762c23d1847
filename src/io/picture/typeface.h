/* SPDX-License-Identifier: BSD-3-Clause */
/* The typeface of captions and plots: a subset of DejaVu Sans, embedded as a TrueType file (typeface.ttf).
 * This file has outlines without hints, and its composite letters only shift their parts: the reader knows no
 * more. */
#ifndef IO_TYPEFACE_H
#define IO_TYPEFACE_H

#include <stdbool.h>
#include <stdint.h>
#include "io/picture/coverage.h"

/* embed.cmake writes this list: one file, then NULL. */
typedef struct typeface_file {
    const char *name, *bytes;
} typeface_file;
extern const typeface_file typeface_files[];

/* Returns the number of a character's shape. 0 is the box that stands for a missing character. */
unsigned typeface_glyph(uint32_t code);
/* Returns how far the pen moves after the character, in parts of the font size. */
double typeface_advance(uint32_t code);
/* Adds the outline of a character. The pen stands at (x, baseline), in pixels. */
void typeface_trace(coverage *onto, uint32_t code, double size, double x, double baseline);

#endif
