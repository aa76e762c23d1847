/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR: converts luminance and chroma to colour. Chroma is R / Y - 1 and B / Y - 1, with half as many
 * samples along both axes. It is interpolated with the filter of OpenEXR's own reader (Kainz, RgbaYca: 27
 * taps, of which every second is not 0). */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "io/raster/exr.h"

/* Returns the value at index i of a line whose `count` samples, `step` floats apart, are at the even
 * indices. */
static double between(const float *line, int64_t i, int64_t count, int64_t step)
{
    static const double taps[] = {0.627123, -0.186077, 0.087929, -0.043159, 0.019597, -0.007540, 0.002128};
    if (i % 2 == 0) return line[i / 2 * step];
    double sum = 0;
    for (int64_t k = 0; k < 7; k++) {
        const int64_t low = i / 2 - k, high = i / 2 + 1 + k;
        sum += taps[k] * ((double)line[(low < 0 ? 0 : low) * step] +
                          (double)line[(high >= count ? count - 1 : high) * step]);
    }
    return sum;
}

/* Interpolates all rows of a chroma plane along x. */
static void widen(float *to, const float *from, int64_t width, int64_t rows)
{
    const int64_t half = (width + 1) / 2;
    for (int64_t y = 0; y < rows; y++)
        for (int64_t x = 0; x < width; x++) to[y * width + x] = (float)between(from + y * half, x, half, 1);
}

static argand_status to_colour(float *planes, const float *chroma, int64_t width, int64_t height,
                               const double luminance[3])
{
    const int64_t half = (width + 1) / 2, rows = (height + 1) / 2, plane = width * height;
    float *wide;
    TRY(NEW(wide, 2 * width * rows));
    for (int k = 0; k < 2; k++) widen(wide + k * width * rows, chroma + k * half * rows, width, rows);
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            const double light = planes[y * width + x];
            const double red = (between(wide + x, y, rows, width) + 1) * light;
            const double blue = (between(wide + width * rows + x, y, rows, width) + 1) * light;
            planes[y * width + x] = (float)red;
            planes[plane + y * width + x] =
                (float)((light - luminance[0] * red - luminance[2] * blue) / luminance[1]);
            planes[2 * plane + y * width + x] = (float)blue;
        }
    memory_free(wide);
    return ARGAND_OK;
}

/* Reads Y into the first plane, and RY and BY into `chroma`, one plane after the other. */
static argand_status read_lines(argand_picture *p, float *chroma)
{
    const raster_exr_state *s = p->state;
    const int64_t width = p->info.width, half = (width + 1) / 2, half_rows = (p->info.height + 1) / 2;
    for (int64_t y = 0; y < p->info.height; y++) {
        TRY(observe_again());
        const raster_exr_outcome outcome = raster_exr_file_read(s->file, y);
        if (outcome) return raster_exr_failed(p, outcome);
        memcpy(s->planes + y * width, raster_exr_line(p, 2), (size_t)width * sizeof *chroma);
        for (int i = 0; i < 2 && y % 2 == 0; i++)
            memcpy(chroma + ((1 - i) * half_rows + y / 2) * half, raster_exr_line(p, i),
                   (size_t)half * sizeof *chroma);
    }
    return ARGAND_OK;
}

argand_status raster_exr_read_chroma(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const size_t plane = (size_t)p->info.width * (size_t)p->info.height;
    const size_t half = (size_t)((p->info.width + 1) / 2) * (size_t)((p->info.height + 1) / 2);
    float *chroma = NULL;
    TRY(memory_take(&s->planes, memory_product(plane, 3 * sizeof *s->planes)));
    argand_status status = NEW(chroma, 2 * half);
    if (status == ARGAND_OK) status = read_lines(p, chroma);
    if (status == ARGAND_OK)
        status = to_colour(s->planes, chroma, p->info.width, p->info.height, s->luminance);
    memory_free(chroma);
    return status;
}
#endif
