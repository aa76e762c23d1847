/* SPDX-License-Identifier: BSD-3-Clause */
/* JPEG: reads the orientation that a camera stores in EXIF data (CIPA DC-008, tag 274 of the first
 * directory). */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_JPEG
#include <string.h>
#include "io/raster/jpeg.h"

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

int raster_jpeg_orientation(const unsigned char *exif, size_t count)
{
    if (count < 14 || memcmp(exif, "Exif\0", 6) != 0) return 1;
    const bytes b = {exif + 6, count - 6, exif[6] == 'M'};
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
void raster_jpeg_place(int64_t from[2], int64_t x, int64_t y, const raster_jpeg_state *s)
{
    const int o = s->orientation;
    const bool exchanged = o >= 5, column_last = o == 2 || o == 3 || o == 7 || o == 8,
               row_last = o == 3 || o == 4 || o == 6 || o == 7;
    const int64_t column = exchanged ? y : x, row = exchanged ? x : y;
    from[0] = column_last ? s->width - 1 - column : column;
    from[1] = row_last ? s->height - 1 - row : row;
}
#endif
