/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes PNG row by row. Colour space, resolution and texts of the picture given as `like` are copied. */
#include <errno.h>
#include <string.h>
#include "base/memory.h"
#include "io/arrays/numbers.h"
#include "io/raster/png.h"

static void put_bytes(png_structp png, png_bytep bytes, size_t count)
{
    argand_picture *p = png_get_io_ptr(png);
    errno = 0;
    if (fwrite(bytes, 1, count, p->draft.stream) != count) png_error(png, "it cannot be written");
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void copy_texts(raster_png_state *to, const raster_png_state *from)
{
    png_textp texts;
    int count;
    if (png_get_text(from->png, from->info, &texts, &count) <= 0) count = 0;
    for (int i = 0; i < count; i++) /* libpng refuses to write keywords without a letter */
        if (texts[i].key[strspn(texts[i].key, " ")]) png_set_text(to->png, to->info, texts + i, 1);
    png_uint_32 x, y;
    int unit;
    if (png_get_pHYs(from->png, from->info, &x, &y, &unit)) png_set_pHYs(to->png, to->info, x, y, unit);
}

static void copy_colours(raster_png_state *to, const raster_png_state *from)
{
    double white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y;
    png_charp name;
    png_bytep profile;
    png_uint_32 length;
    int method;
    if (png_get_cHRM(from->png, from->info, &white_x, &white_y, &red_x, &red_y, &green_x, &green_y, &blue_x,
                     &blue_y))
        png_set_cHRM(to->png, to->info, white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y);
    if (png_get_iCCP(from->png, from->info, &name, &method, &profile, &length))
        png_set_iCCP(to->png, to->info, name, method, profile, length);
}

/* Writes the transfer function. libpng refuses sRGB together with other primaries (cHRM). A gAMA of 1/2.2
 * then stands for sRGB's curve, as on reading. */
static void set_transfer(argand_picture *p)
{
    raster_png_state *s = p->state;
    const raster_png_state *like = s->like ? s->like->state : NULL;
    const bool primaries = png_get_valid(s->png, s->info, PNG_INFO_cHRM) &&
                           !(like && png_get_valid(like->png, like->info, PNG_INFO_sRGB));
    if (p->info.transfer == ARGAND_TRANSFER_LINEAR) png_set_gAMA(s->png, s->info, 1);
    if (p->info.transfer == ARGAND_TRANSFER_POWER) png_set_gAMA(s->png, s->info, p->info.gamma);
    if (p->info.transfer != ARGAND_TRANSFER_SRGB || png_get_valid(s->png, s->info, PNG_INFO_iCCP)) return;
    if (primaries)
        png_set_gAMA(s->png, s->info, 1 / 2.2);
    else
        png_set_sRGB(s->png, s->info, PNG_sRGB_INTENT_PERCEPTUAL);
}

static void write_head(argand_picture *p)
{
    raster_png_state *s = p->state;
    const raster_png_state *like = s->like ? s->like->state : NULL;
    const bool alpha = p->info.alpha >= 0, colour = p->info.channels - alpha == 3;
    png_set_write_fn(s->png, p, put_bytes, flush_nothing);
    png_set_IHDR(s->png, s->info, (png_uint_32)p->info.width, (png_uint_32)p->info.height,
                 p->info.sample == ARGAND_SAMPLE_U16 ? 16 : 8,
                 (colour ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY) | (alpha ? PNG_COLOR_MASK_ALPHA : 0),
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    /* On writing, libpng takes doubts about a profile as errors, even about the widespread one of sRGB by HP.
     * What was read with a warning is written with a warning. */
    png_set_benign_errors(s->png, 1);
    if (like) copy_texts(s, like);
    if (like) copy_colours(s, like);
    if (like) raster_png_copy_coding(s, like);
    set_transfer(p);
    png_write_info(s->png, s->info);
    png_set_benign_errors(s->png, 0);
    if (p->info.sample == ARGAND_SAMPLE_U16 && numbers_host_is_little()) png_set_swap(s->png);
}

static void write_line(argand_picture *p)
{
    raster_png_state *s = p->state;
    png_write_row(s->png, s->line);
}

static void write_end(argand_picture *p)
{
    raster_png_state *s = p->state;
    png_write_end(s->png, NULL);
}

static argand_status failed(const argand_picture *p)
{
    const raster_png_state *s = p->state;
    return file_failed(&p->draft, s->number, s->reason);
}

static argand_status check(const argand_picture *p)
{
    const int colours = p->info.channels - (p->info.alpha >= 0);
    CHECK(colours == 1 || colours == 3, ARGAND_ARGUMENT,
          "%s: %d channels%s; PNG has 1 (grey) or 3 (red, green, blue), with or without alpha", p->path,
          p->info.channels, p->info.alpha >= 0 ? ", one of them alpha" : "");
    CHECK(p->info.alpha < 0 || p->info.alpha == colours, ARGAND_ARGUMENT,
          "%s: alpha is channel %d; in PNG it is the last", p->path, p->info.alpha);
    CHECK(p->info.sample == ARGAND_SAMPLE_U8 || p->info.sample == ARGAND_SAMPLE_U16, ARGAND_ARGUMENT,
          "%s: PNG has whole numbers of 8 or 16 bits and no floats", p->path);
    return ARGAND_OK;
}

argand_status raster_png_create(argand_picture *p, const argand_picture *like)
{
    raster_png_state *s;
    TRY(check(p));
    TRY(NEW(s, 1));
    p->state = s;
    s->like = like;
    s->line_bytes =
        (size_t)(p->info.width * p->info.channels) * (p->info.sample == ARGAND_SAMPLE_U16 ? 2 : 1);
    TRY(NEW(s->line, s->line_bytes));
    s->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, s, raster_png_on_error, raster_png_on_warning);
    s->info = s->png ? png_create_info_struct(s->png) : NULL;
    CHECK(s->info, ARGAND_MEMORY, "%s: no memory to write it", p->path);
    const bool good = raster_png_guarded(p, write_head);
    s->like = NULL;
    return good ? ARGAND_OK : failed(p);
}

argand_status raster_png_write(argand_picture *p, const float *row)
{
    raster_png_state *s = p->state;
    const int channels = p->info.channels;
    const bool wide = p->info.sample == ARGAND_SAMPLE_U16;
    for (int c = 0; c < channels; c++)
        for (int64_t x = 0; x < p->info.width; x++) {
            const unsigned code = raster_encode(p, c, row[c * p->info.width + x], wide ? 65535 : 255);
            const uint16_t both = (uint16_t)code;
            if (wide)
                memcpy(s->line + 2 * (x * channels + c), &both, 2);
            else
                s->line[x * channels + c] = (unsigned char)code;
        }
    return raster_png_guarded(p, write_line) ? ARGAND_OK : failed(p);
}

argand_status raster_png_finish(argand_picture *p)
{
    return raster_png_guarded(p, write_end) ? ARGAND_OK : failed(p);
}
