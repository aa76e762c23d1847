/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads PNG. Palettes become colours, fewer than 8 bits become 8, a transparent colour becomes alpha.
 * Interlaced pictures and those that EXIF marks as turned are read as a whole, others row by row. */
#include <string.h>
#include "base/memory.h"
#include "io/arrays/numbers.h"
#include "io/raster/png.h"

/* Largest ratio of samples to file size: deflate compresses at most 1032 to 1. Rows of fewer than 8 bits
 * per sample are expanded later and checked below. */
enum { PACKING = 1040 };

static void take_bytes(png_structp png, png_bytep bytes, size_t count)
{
    argand_picture *p = png_get_io_ptr(png);
    raster_png_state *s = p->state;
    if (s->place > p->size || count > p->size - s->place) png_error(png, "truncated");
    if (raster_read_at(p, s->place, bytes, count) != ARGAND_OK) png_error(png, "it cannot be read");
    s->place += count;
}

static void read_head(argand_picture *p)
{
    raster_png_state *s = p->state;
    png_set_read_fn(s->png, p, take_bytes);
    png_set_user_limits(s->png, RASTER_LONGEST, RASTER_LONGEST);
    png_set_chunk_malloc_max(s->png, 64 << 20);
    raster_png_keep_chunks(s->png);
    png_read_info(s->png, s->info);
}

static void prepare(argand_picture *p)
{
    raster_png_state *s = p->state;
    png_set_expand(s->png);
    if (png_get_bit_depth(s->png, s->info) == 16 && numbers_host_is_little()) png_set_swap(s->png);
    png_set_interlace_handling(s->png);
    png_read_update_info(s->png, s->info);
    s->line_bytes = png_get_rowbytes(s->png, s->info);
}

static void read_line(argand_picture *p)
{
    raster_png_state *s = p->state;
    png_read_row(s->png, s->line, NULL);
}

static void read_all(argand_picture *p)
{
    raster_png_state *s = p->state;
    const int passes = png_get_interlace_type(s->png, s->info) == PNG_INTERLACE_NONE ? 1 : 7;
    for (int pass = 0; pass < passes; pass++)
        for (int64_t y = 0; y < p->stored_height; y++)
            png_read_row(s->png, s->whole + (size_t)y * s->line_bytes, NULL);
}

static argand_status failed(const argand_picture *p)
{
    const raster_png_state *s = p->state;
    return status_set(ARGAND_FORMAT, "%s: damaged or truncated: %s", p->path, s->reason);
}

/* Takes the transfer function of cICP, else of the profile, of sRGB or of gAMA. A gAMA of 1 means linear
 * light, of about 1/2.2 sRGB's curve; other values are powers. */
static argand_status choose_transfer(argand_picture *p)
{
    raster_png_state *s = p->state;
    double gamma = 0;
    int intent, method;
    bool known;
    png_charp name;
    png_bytep profile;
    png_uint_32 length;
    p->info.transfer = p->options.stored ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_SRGB;
    TRY(raster_png_use_coding(p, &known));
    if (known || p->options.stored) return ARGAND_OK;
    if (png_get_iCCP(s->png, s->info, &name, &method, &profile, &length)) {
        raster_use_profile(p, profile, length);
        return ARGAND_OK;
    }
    if (png_get_sRGB(s->png, s->info, &intent) || !png_get_gAMA(s->png, s->info, &gamma) || !(gamma > 0) ||
        (gamma > 0.45 && gamma < 0.46))
        return ARGAND_OK;
    p->info.transfer = gamma > 0.999 && gamma < 1.001 ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_POWER;
    p->info.gamma = gamma;
    return ARGAND_OK;
}

static argand_status describe(argand_picture *p)
{
    raster_png_state *s = p->state;
    const int depth = png_get_bit_depth(s->png, s->info), type = png_get_color_type(s->png, s->info);
    const bool alpha = type & PNG_COLOR_MASK_ALPHA || png_get_valid(s->png, s->info, PNG_INFO_tRNS);
    const int stored = png_get_channels(s->png, s->info);
    const int64_t width = png_get_image_width(s->png, s->info),
                  height = png_get_image_height(s->png, s->info);
    p->info.sample = depth == 16 ? ARGAND_SAMPLE_U16 : ARGAND_SAMPLE_U8;
    TRY(raster_check_size(p, width, height, stored, depth == 16 ? 2 * stored : stored,
                          PACKING * (depth < 8 ? 8u / (unsigned)depth : 1u)));
    TRY(choose_transfer(p));
    raster_set_size(p, width, height, raster_png_orientation(s), "EXIF");
    raster_png_note_frames(p);
    return raster_name_channels(p, (type & PNG_COLOR_MASK_COLOR ? 3 : 1) + alpha, alpha);
}

argand_status raster_png_open(argand_picture *p)
{
    raster_png_state *s;
    unsigned char start[8] = {0};
    TRY(NEW(s, 1));
    p->state = s;
    TRY(raster_read_at(p, 0, start, p->size < 8 ? (size_t)p->size : 8));
    CHECK(!png_sig_cmp(start, 0, 8), ARGAND_FORMAT, "%s: is no PNG file", p->path);
    s->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, s, raster_png_on_error, raster_png_on_warning);
    s->info = s->png ? png_create_info_struct(s->png) : NULL;
    CHECK(s->info, ARGAND_MEMORY, "%s: no memory to read it", p->path);
    if (!raster_png_guarded(p, read_head)) return failed(p);
    TRY(describe(p));
    TRY(raster_make_curve(p, p->info.sample == ARGAND_SAMPLE_U16 ? 65535 : 255));
    if (!raster_png_guarded(p, prepare)) return failed(p);
    const size_t bytes =
        (size_t)(p->stored_width * p->info.channels) * (p->info.sample == ARGAND_SAMPLE_U16 ? 2 : 1);
    CHECK(s->line_bytes == bytes, ARGAND_FORMAT, "%s: its rows have %zu bytes, and should have %zu", p->path,
          s->line_bytes, bytes);
    return ARGAND_OK;
}

argand_status raster_png_decode(argand_picture *p)
{
    raster_png_state *s = p->state;
    const size_t bytes = s->line_bytes;
    if (png_get_interlace_type(s->png, s->info) == PNG_INTERLACE_NONE && p->orientation == 1)
        return NEW(s->line, bytes);
    TRY(memory_take(&s->whole, memory_product(bytes, (size_t)p->stored_height)));
    memset(s->whole, 0, bytes * (size_t)p->stored_height);
    return raster_png_guarded(p, read_all) ? ARGAND_OK : failed(p);
}

argand_status raster_png_read(argand_picture *p, float *row)
{
    raster_png_state *s = p->state;
    const int channels = p->info.channels;
    const bool wide = p->info.sample == ARGAND_SAMPLE_U16;
    if (!s->whole && !raster_png_guarded(p, read_line)) return failed(p);
    for (int64_t x = 0; x < p->info.width; x++) {
        int64_t from[2] = {x, 0};
        if (s->whole) raster_place(from, x, p->next, p);
        const unsigned char *pixel = (s->whole ? s->whole + (size_t)from[1] * s->line_bytes : s->line) +
                                     from[0] * channels * (wide ? 2 : 1);
        for (int c = 0; c < channels; c++) {
            uint16_t code = pixel[c];
            if (wide) memcpy(&code, pixel + 2 * c, 2);
            row[c * p->info.width + x] = raster_decode(p, c, code, wide ? 65535 : 255);
        }
    }
    return ARGAND_OK;
}
