/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws rectangles and strokes on a picture. */
#include "io/picture/canvas.h"

#include <math.h>
#include "base/memory.h"
#include "base/whole.h"

argand_status canvas_new(canvas *picture, int width, int height, int channels, uint32_t colour)
{
    *picture = (canvas){.width = width, .height = height, .channels = channels};
    TRY(memory_new(&picture->pixels, memory_product((size_t)width, (size_t)height), (size_t)channels));
    canvas_box(picture, 0, 0, width, height, colour);
    return ARGAND_OK;
}

void canvas_free(canvas *picture)
{
    memory_free(picture->pixels);
    *picture = (canvas){0};
}

void canvas_blend(canvas *picture, int x, int y, uint32_t colour, double cover)
{
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return;
    uint8_t *pixel =
        picture->pixels + ((size_t)y * (size_t)picture->width + (size_t)x) * (size_t)picture->channels;
    for (int i = 0; i < picture->channels; i++) {
        const double wanted = colour >> (8 * (picture->channels - 1 - i)) & 255;
        pixel[i] = (uint8_t)lround(pixel[i] + cover * (wanted - pixel[i]));
    }
}

void canvas_box(canvas *picture, int x, int y, int width, int height, uint32_t colour)
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++) canvas_blend(picture, column, row, colour, 1);
}

/* Returns the distance from a point to the nearest point of a stroke. */
static double distance(double x, double y, const double from[2], const double to[2])
{
    const double dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
    double along = square > 0 ? ((x - from[0]) * dx + (y - from[1]) * dy) / square : 0;
    along = fmin(1, fmax(0, along));
    return hypot(x - from[0] - along * dx, y - from[1] - along * dy);
}

void canvas_stroke(canvas *picture, const double from[2], const double to[2], double thickness,
                   uint32_t colour)
{
    const double reach = thickness / 2 + 1;
    const int left = (int)whole(floor(fmin(from[0], to[0]) - reach), 0, picture->width),
              right = (int)whole(ceil(fmax(from[0], to[0]) + reach), -1, picture->width - 1);
    const int top = (int)whole(floor(fmin(from[1], to[1]) - reach), 0, picture->height),
              bottom = (int)whole(ceil(fmax(from[1], to[1]) + reach), -1, picture->height - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const double cover = thickness / 2 + 0.5 - distance(x, y, from, to);
            if (cover > 0) canvas_blend(picture, x, y, colour, fmin(1, cover));
        }
}
