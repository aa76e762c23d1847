/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads JPEG of 8 bits, grey or colour, row by row. Pictures that EXIF marks as rotated are read as a
 * whole. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_JPEG
#include <string.h>
#include "base/memory.h"
#include "io/raster/jpeg.h"

/* Largest ratio of samples to file size. Huffman codes need at least 1 bit per block of 64 samples;
 * arithmetic coding has no such bound. */
enum { HUFFMAN = 4096, ARITHMETIC = 65536, EXIF = JPEG_APP0 + 1, PROFILE = JPEG_APP0 + 2, LONGEST = 0xffff };

static void read_head(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    jpeg_create_decompress(&s->jpeg);
    s->jpeg.client_data = p;
    s->jpeg.src = &s->source;
    s->jpeg.progress = &s->progress;
    s->jpeg.mem->max_memory_to_use = 1 << 30;
    jpeg_save_markers(&s->jpeg, EXIF, LONGEST);
    jpeg_save_markers(&s->jpeg, PROFILE, LONGEST);
    jpeg_read_header(&s->jpeg, TRUE);
}

static void start(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    s->jpeg.out_color_space = p->info.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    s->jpeg.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&s->jpeg);
}

static void read_line(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    JSAMPROW rows[1] = {s->line};
    jpeg_read_scanlines(&s->jpeg, rows, 1);
}

static void read_all(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    const size_t bytes = (size_t)s->width * (size_t)p->info.channels;
    while (s->jpeg.output_scanline < s->jpeg.output_height) {
        JSAMPROW rows[1] = {s->whole + s->jpeg.output_scanline * bytes};
        jpeg_read_scanlines(&s->jpeg, rows, 1);
    }
}

/* Returns true for sRGB profiles, which contain their name in 8-bit or 16-bit letters. */
static bool is_srgb(const unsigned char *profile, size_t count)
{
    return memmem(profile, count, "sRGB", 4) || memmem(profile, count, "s\0R\0G\0B", 7);
}

static void look_at_markers(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    bool other_colours = false;
    s->orientation = 1;
    for (jpeg_saved_marker_ptr m = s->jpeg.marker_list; m; m = m->next) {
        if (m->marker == EXIF && s->orientation == 1)
            s->orientation = raster_jpeg_orientation(m->data, m->data_length);
        if (m->marker == PROFILE && m->data_length > 14 && !memcmp(m->data, "ICC_PROFILE", 12) &&
            m->data[12] == 1) /* the first segment, which contains the name */
            other_colours = !is_srgb(m->data, m->data_length);
    }
    if (other_colours) raster_note(p, "its colour profile is not applied: its numbers are taken as sRGB");
    if (s->orientation > 1)
        raster_note(p, "is turned upright, as its EXIF orientation %d says", s->orientation);
}

static argand_status describe(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    const int channels = s->jpeg.num_components;
    CHECK(channels != 4, ARGAND_UNSUPPORTED,
          "%s: its colours are CMYK, for print; convert the picture to sRGB first (ImageMagick: convert IN "
          "-colorspace sRGB OUT)",
          p->path);
    CHECK(channels == 1 || channels == 3, ARGAND_UNSUPPORTED,
          "%s: %d channels; 1 (grey) or 3 (colour) are read", p->path, channels);
    s->width = s->jpeg.image_width;
    s->height = s->jpeg.image_height;
    TRY(raster_check_size(p, s->width, s->height, channels, channels,
                          s->jpeg.arith_code ? ARITHMETIC : HUFFMAN));
    look_at_markers(p);
    p->info.width = s->orientation < 5 ? s->width : s->height;
    p->info.height = s->orientation < 5 ? s->height : s->width;
    p->info.sample = ARGAND_SAMPLE_U8;
    p->info.transfer = p->options.stored ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_SRGB;
    return raster_name_channels(p, channels, false);
}

argand_status raster_jpeg_open(argand_picture *p)
{
    raster_jpeg_state *s;
    unsigned char begin[2] = {0};
    TRY(NEW(s, 1));
    p->state = s;
    TRY(raster_read_at(p, 0, begin, p->size < 2 ? (size_t)p->size : 2));
    CHECK(begin[0] == 0xff && begin[1] == 0xd8, ARGAND_FORMAT, "%s: is no JPEG file", p->path);
    raster_jpeg_prepare(p);
    if (!raster_jpeg_guarded(p, read_head)) return raster_jpeg_failed(p);
    TRY(describe(p));
    return raster_make_curve(p, 255);
}

argand_status raster_jpeg_decode(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    if (!raster_jpeg_guarded(p, start)) return raster_jpeg_failed(p);
    const size_t bytes = (size_t)s->width * (size_t)p->info.channels;
    CHECK(s->jpeg.output_width == s->width && s->jpeg.output_components == p->info.channels, ARGAND_FORMAT,
          "%s: the length of its rows differs from its header", p->path);
    if (s->orientation == 1) return NEW(s->line, bytes);
    TRY(memory_take(&s->whole, memory_product(bytes, (size_t)s->height)));
    return raster_jpeg_guarded(p, read_all) ? ARGAND_OK : raster_jpeg_failed(p);
}

argand_status raster_jpeg_read(argand_picture *p, float *row)
{
    const raster_jpeg_state *s = p->state;
    const int channels = p->info.channels;
    if (!s->whole && !raster_jpeg_guarded(p, read_line)) return raster_jpeg_failed(p);
    for (int64_t x = 0; x < p->info.width; x++) {
        int64_t from[2] = {x, 0};
        if (s->whole) raster_jpeg_place(from, x, p->next, s);
        const unsigned char *pixel =
            (s->whole ? s->whole : s->line) + (from[1] * s->width + from[0]) * channels;
        for (int c = 0; c < channels; c++) row[c * p->info.width + x] = raster_decode(p, c, pixel[c], 255);
    }
    return ARGAND_OK;
}
#endif
