/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR files that do not come line by line: tiles (the finest level), and luminance with chroma of half
 * as many samples along both axes. Chroma is R / Y - 1 and B / Y - 1; it is interpolated by the filter that
 * OpenEXR's own reader has (Kainz, RgbaYca: 27 taps, of which every second is not 0). */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_OPENEXR
#include "base/memory.h"
#include "base/observe.h"
#include "io/raster/exr.h"

static argand_status read_tile(argand_picture *p, int x, int y, int tile_width, int tile_height)
{
    raster_exr_state *s = p->state;
    exr_chunk_info_t chunk;
    float *to[ARGAND_PICTURE_CHANNELS];
    int64_t lines[ARGAND_PICTURE_CHANNELS];
    const exr_result_t r = exr_read_tile_chunk_info(s->context, s->part, x, y, 0, 0, &chunk);
    if (r) return raster_exr_failed(p, r);
    const int64_t column = (int64_t)x * tile_width, row = (int64_t)y * tile_height;
    CHECK(chunk.width >= 1 && chunk.height >= 1 && column + chunk.width <= p->info.width &&
              row + chunk.height <= p->info.height,
          ARGAND_FORMAT, "%s: tile %d, %d reaches beyond the picture", p->path, x, y);
    for (int i = 0; i < s->stored; i++) {
        lines[i] = p->info.width;
        to[i] = (float *)s->samples + (s->place[i] * p->info.height + row) * p->info.width + column;
    }
    return raster_exr_decode(p, &chunk, to, lines);
}

static argand_status read_tiles(argand_picture *p)
{
    const raster_exr_state *s = p->state;
    int width, height;
    const exr_result_t r = exr_get_tile_sizes(s->context, s->part, 0, 0, &width, &height);
    if (r) return raster_exr_failed(p, r);
    CHECK(width >= 1 && height >= 1, ARGAND_FORMAT, "%s: tiles of %d x %d pixels", p->path, width, height);
    for (int y = 0; (int64_t)y * height < p->info.height; y++)
        for (int x = 0; (int64_t)x * width < p->info.width; x++) {
            TRY(observe_again());
            TRY(read_tile(p, x, y, width, height));
        }
    return ARGAND_OK;
}

/* Chunks of Y into the first plane, of RY and BY into `chroma`, a plane after the other. */
static argand_status read_chroma(argand_picture *p, float *chroma)
{
    const raster_exr_state *s = p->state;
    const int64_t width = p->info.width, half = (width + 1) / 2, half_rows = (p->info.height + 1) / 2;
    for (int64_t y = 0; y < p->info.height;) {
        exr_chunk_info_t chunk;
        const exr_result_t r =
            exr_read_scanline_chunk_info(s->context, s->part, s->window.min.y + (int)y, &chunk);
        if (r) return raster_exr_failed(p, r);
        CHECK((int64_t)chunk.start_y - s->window.min.y == y && chunk.width == width && chunk.height >= 1 &&
                  y + chunk.height <= p->info.height,
              ARGAND_FORMAT, "%s: a block of its lines is not where it should be", p->path);
        float *const to[3] = {chroma + (half_rows + (y + 1) / 2) * half, chroma + (y + 1) / 2 * half,
                              (float *)s->samples + y * width};
        const int64_t lines[3] = {half, half, width};
        TRY(observe_again());
        TRY(raster_exr_decode(p, &chunk, to, lines));
        y += chunk.height;
    }
    return ARGAND_OK;
}

argand_status raster_exr_read_whole(argand_picture *p)
{
    raster_exr_state *s = p->state;
    const size_t plane = (size_t)p->info.width * (size_t)p->info.height;
    float *samples, *chroma = NULL;
    TRY(memory_take(&samples, memory_product(plane, (size_t)p->info.channels * sizeof *samples)));
    s->samples = samples;
    if (!s->chroma) return read_tiles(p);
    const size_t half = (size_t)((p->info.width + 1) / 2) * (size_t)((p->info.height + 1) / 2);
    argand_status status = NEW(chroma, 2 * half);
    if (status == ARGAND_OK) status = read_chroma(p, chroma);
    if (status == ARGAND_OK)
        status = raster_exr_chroma_to_colour(samples, chroma, p->info.width, p->info.height, s->luminance);
    memory_free(chroma);
    return status;
}

/* ---- chroma ---- */

/* Value at place i of a line that has samples at its even places, `step` floats apart, `count` of them. */
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

/* All rows of one chroma plane, finer along x; then a row of the picture, finer along y. */
static void widen(float *to, const float *from, int64_t width, int64_t rows)
{
    const int64_t half = (width + 1) / 2;
    for (int64_t y = 0; y < rows; y++)
        for (int64_t x = 0; x < width; x++) to[y * width + x] = (float)between(from + y * half, x, half, 1);
}

argand_status raster_exr_chroma_to_colour(float *planes, const float *chroma, int64_t width, int64_t height,
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
#endif
