/* SPDX-License-Identifier: BSD-3-Clause */
/* The orientation that a camera stores in EXIF data or TIFF tags (CIPA DC-008, tag 274 of the first
 * directory), and where the pixels of the upright picture lie in the file. */
#include "io/raster/raster.h"

enum { ORIENTATION = 0x0112, SHORT = 3, ENTRY = 12 };

typedef struct bytes {
    const unsigned char *at;
    size_t count;
    bool big;
} bytes;

/* Returns an integer of `size` bytes. Returns 0 beyond the end, which no caller takes for a directory or
 * entry. */
static uint32_t number(const bytes *b, size_t place, size_t size)
{
    uint32_t value = 0;
    if (place > b->count || size > b->count - place) return 0;
    for (size_t i = 0; i < size; i++) value = value << 8 | b->at[place + (b->big ? i : size - 1 - i)];
    return value;
}

int raster_exif_orientation(const unsigned char *exif, size_t count)
{
    if (count < 8) return 1;
    const bytes b = {exif, count, exif[0] == 'M'};
    const size_t directory = number(&b, 4, 4);
    const uint32_t entries = number(&b, directory, 2);
    if (number(&b, 2, 2) != 42 || directory < 8) return 1;
    for (size_t i = 0; i < entries && directory + 2 + ENTRY * (i + 1) <= b.count; i++) {
        const size_t entry = directory + 2 + ENTRY * i;
        if (number(&b, entry, 2) != ORIENTATION || number(&b, entry + 2, 2) != SHORT) continue;
        const uint32_t found = number(&b, entry + 8, 2);
        return found >= 1 && found <= 8 ? (int)found : 1;
    }
    return 1;
}

/* Orientations 5 to 8 exchange the axes. The stored first row is at the upright picture's top (1, 2), bottom
 * (3, 4), left (5, 8) or right (6, 7). Its first column is at the left (1, 4), right (2, 3), top (5, 6) or
 * bottom (7, 8). */
void raster_place(int64_t from[2], int64_t x, int64_t y, const argand_picture *p)
{
    const int o = p->orientation;
    const bool exchanged = o >= 5, column_last = o == 2 || o == 3 || o == 7 || o == 8,
               row_last = o == 3 || o == 4 || o == 6 || o == 7;
    const int64_t column = exchanged ? y : x, row = exchanged ? x : y;
    from[0] = column_last ? p->stored_width - 1 - column : column;
    from[1] = row_last ? p->stored_height - 1 - row : row;
}

void raster_set_size(argand_picture *p, int64_t width, int64_t height, int orientation, const char *said_by)
{
    p->stored_width = width;
    p->stored_height = height;
    p->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    p->info.width = p->orientation < 5 ? width : height;
    p->info.height = p->orientation < 5 ? height : width;
    if (p->orientation > 1)
        raster_note(p, "is turned upright, as its %s orientation %d says", said_by, p->orientation);
}
