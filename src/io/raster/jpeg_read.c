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
    const size_t bytes = (size_t)p->stored_width * (size_t)p->info.channels;
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

/* Takes the curve of a profile. Its primaries are lost, because JPEG is not written. */
static void use_profile(argand_picture *p, const unsigned char *profile, size_t count)
{
    raster_use_profile(p, profile, count);
    if (!is_srgb(profile, count))
        raster_note(p, "its colour profile is left out of the result, which may change its colours");
}

/* Returns the orientation in EXIF data, and takes the transfer curve of a colour profile. */
static int look_at_markers(argand_picture *p)
{
    raster_jpeg_state *s = p->state;
    int orientation = 1;
    for (jpeg_saved_marker_ptr m = s->jpeg.marker_list; m; m = m->next) {
        if (m->marker == EXIF && orientation == 1 && m->data_length > 6 && !memcmp(m->data, "Exif\0", 6))
            orientation = raster_exif_orientation(m->data + 6, m->data_length - 6);
        if (m->marker == PROFILE && m->data_length > 14 && !memcmp(m->data, "ICC_PROFILE", 12) &&
            m->data[12] == 1) /* the first segment, which has the curves unless it is full of tables */
            use_profile(p, m->data + 14, m->data_length - 14);
    }
    return orientation;
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
    const int64_t width = s->jpeg.image_width, height = s->jpeg.image_height;
    TRY(raster_check_size(p, width, height, channels, channels, s->jpeg.arith_code ? ARITHMETIC : HUFFMAN));
    p->info.sample = ARGAND_SAMPLE_U8;
    p->info.transfer = p->options.stored ? ARGAND_TRANSFER_LINEAR : ARGAND_TRANSFER_SRGB;
    raster_set_size(p, width, height, look_at_markers(p), "EXIF");
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
    const size_t bytes = (size_t)p->stored_width * (size_t)p->info.channels;
    CHECK(s->jpeg.output_width == p->stored_width && s->jpeg.output_components == p->info.channels,
          ARGAND_FORMAT, "%s: the length of its rows differs from its header", p->path);
    if (p->orientation == 1) return NEW(s->line, bytes);
    TRY(memory_take(&s->whole, memory_product(bytes, (size_t)p->stored_height)));
    return raster_jpeg_guarded(p, read_all) ? ARGAND_OK : raster_jpeg_failed(p);
}

argand_status raster_jpeg_read(argand_picture *p, float *row)
{
    const raster_jpeg_state *s = p->state;
    const int channels = p->info.channels;
    if (!s->whole && !raster_jpeg_guarded(p, read_line)) return raster_jpeg_failed(p);
    for (int64_t x = 0; x < p->info.width; x++) {
        int64_t from[2] = {x, 0};
        if (s->whole) raster_place(from, x, p->next, p);
        const unsigned char *pixel =
            (s->whole ? s->whole : s->line) + (from[1] * p->stored_width + from[0]) * channels;
        for (int c = 0; c < channels; c++) row[c * p->info.width + x] = raster_decode(p, c, pixel[c], 255);
    }
    return ARGAND_OK;
}
#endif
