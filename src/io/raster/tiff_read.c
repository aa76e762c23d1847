/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the first picture of a TIFF file: grey, colour or palette, with or without alpha. Strips are read row
 * by row; tiles, separate planes and turned pictures as a whole. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_TIFF
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "io/raster/tiff.h"

static argand_status failed(const argand_picture *p)
{
    const raster_tiff_state *s = p->state;
    return status_set(ARGAND_FORMAT, "%s: damaged or truncated: %s", p->path,
                      *s->reason ? s->reason : "its samples cannot be read");
}

/* ---- description of the picture ---- */

static argand_status find_colours(argand_picture *p, int *colours)
{
    raster_tiff_state *s = p->state;
    uint16_t meaning = 0xffff;
    TIFFGetField(s->file, TIFFTAG_PHOTOMETRIC, &meaning);
    if (s->compression == COMPRESSION_JPEG && meaning == PHOTOMETRIC_YCBCR) {
        TIFFSetField(s->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        meaning = PHOTOMETRIC_RGB;
    }
    *colours = meaning == PHOTOMETRIC_RGB || meaning == PHOTOMETRIC_PALETTE ? 3 : 1;
    CHECK(*colours == 3 || meaning == PHOTOMETRIC_MINISBLACK || meaning == PHOTOMETRIC_MINISWHITE,
          ARGAND_UNSUPPORTED,
          "%s: its samples are %s (photometric interpretation %d); grey, RGB and palettes are read; convert "
          "the "
          "picture first (ImageMagick: convert IN -colorspace sRGB -type TrueColor OUT)",
          p->path, raster_tiff_colours(meaning), meaning);
    if (meaning == PHOTOMETRIC_PALETTE) return raster_tiff_find_palette(p);
    s->inverted = meaning == PHOTOMETRIC_MINISWHITE;
    CHECK(!s->inverted || raster_tiff_levels(p), ARGAND_UNSUPPORTED,
          "%s: its samples are floats of which 0 is white; floats are read with 0 as black", p->path);
    return ARGAND_OK;
}

/* Finds the channels. An extra sample without description counts as alpha: many programs write alpha this
 * way. */
static argand_status find_channels(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint16_t samples = 1, extra_count = 0, *extras = NULL;
    int colours = 1;
    TRY(find_colours(p, &colours));
    TIFFGetFieldDefaulted(s->file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    s->stored = samples;
    if (s->palette) return raster_name_channels(p, 3, false);
    CHECK(samples == colours || samples == colours + 1, ARGAND_UNSUPPORTED,
          "%s: %d channels; grey has 1, colour 3, and one more for alpha", p->path, samples);
    if (samples > colours && TIFFGetField(s->file, TIFFTAG_EXTRASAMPLES, &extra_count, &extras) &&
        extra_count)
        p->info.associated = extras[0] == EXTRASAMPLE_ASSOCALPHA;
    if (samples > colours && (!extra_count || extras[0] == EXTRASAMPLE_UNSPECIFIED))
        raster_note(p, "its channel %d has no description and is taken as alpha", samples);
    return raster_name_channels(p, samples, samples > colours);
}

static uint64_t packing(uint16_t compression)
{
    switch (compression) {
    case COMPRESSION_NONE:
        return 1;
    case COMPRESSION_PACKBITS:
        return 64;
    case COMPRESSION_LZW:
        return 4096;
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
        return 1040;
    default:
        return 65536;
    }
}

/* Notes what is left out: further pages, and copies at other sizes. */
static void note_others(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint32_t kind = 0;
    TIFFGetFieldDefaulted(s->file, TIFFTAG_SUBFILETYPE, &kind);
    s->several = !TIFFLastDirectory(s->file);
    if (s->several)
        raster_note(p, "%s of several in the file is read; the others are left out of the result",
                    kind & FILETYPE_REDUCEDIMAGE ? "a reduced copy, the first picture" : "the first picture");
}

/* Takes the transfer curve: sRGB, unless a colour profile has another one. */
static void choose_transfer(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint32_t count = 0;
    const void *profile = NULL;
    if (p->options.stored) return;
    p->info.transfer = ARGAND_TRANSFER_SRGB;
    if (TIFFGetField(s->file, TIFFTAG_ICCPROFILE, &count, &profile)) raster_use_profile(p, profile, count);
}

static argand_status describe(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint32_t width = 0, height = 0;
    uint16_t orientation = ORIENTATION_TOPLEFT;
    TIFFGetField(s->file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(s->file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(s->file, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(s->file, TIFFTAG_COMPRESSION, &s->compression);
    CHECK(TIFFIsCODECConfigured(s->compression), ARGAND_UNSUPPORTED,
          "%s: its compression is %s (%d), which this libtiff does not read; write it again with LZW or "
          "deflate",
          p->path, raster_tiff_method(s->compression), s->compression);
    TRY(raster_tiff_find_sample(p));
    TRY(find_channels(p));
    /* narrow samples are counted as bytes, and the file as packed by that much more */
    const int bytes = s->bits < 8 ? 1 : (int)s->bits / 8, narrow = s->bits < 8 ? 8 / (int)s->bits : 1;
    TRY(raster_check_size(p, width, height, p->info.channels, s->stored * bytes,
                          packing(s->compression) * (uint64_t)narrow));
    raster_set_size(p, width, height, orientation, "TIFF");
    note_others(p);
    const unsigned levels = raster_tiff_levels(p);
    if (levels) choose_transfer(p);
    s->multiplied = raster_tiff_multiplied(p);
    return levels ? raster_make_curve(p, levels) : ARGAND_OK;
}

/* ---- samples ---- */

/* Where a channel's samples are in a row of `stored` channels; all colours of a palette have one index. */
static raster_tiff_step step_of(const raster_tiff_state *s, int channel, int stored)
{
    return (raster_tiff_step){s->palette ? 0 : channel, stored};
}

/* Reads a tile of all channels, or of one channel if they are stored in separate planes. */
static argand_status read_tile(argand_picture *p, uint32_t x, uint32_t y, const uint32_t size[2], int channel)
{
    raster_tiff_state *s = p->state;
    const int64_t width = p->stored_width, height = p->stored_height;
    const int64_t columns = width - x < size[0] ? width - x : size[0];
    const int64_t rows = height - y < size[1] ? height - y : size[1];
    const int apart = channel >= 0, stored = apart ? 1 : s->stored;
    const size_t bytes = raster_tiff_row_bytes(p, size[0], stored);
    TRY(observe_again());
    if (TIFFReadTile(s->file, s->line, x, y, 0, (uint16_t)(apart ? channel : 0)) < 0) return failed(p);
    for (int64_t row = 0; row < rows; row++)
        for (int c = 0; c < (apart ? 1 : p->info.channels); c++) {
            const int to = apart ? channel : c;
            raster_tiff_take(p, s->whole + (to * height + y + row) * width + x, s->line + (size_t)row * bytes,
                             columns, step_of(s, c, stored), to);
        }
    return ARGAND_OK;
}

static argand_status read_tiles(argand_picture *p, bool apart)
{
    raster_tiff_state *s = p->state;
    uint32_t size[2] = {0, 0};
    TIFFGetField(s->file, TIFFTAG_TILEWIDTH, &size[0]);
    TIFFGetField(s->file, TIFFTAG_TILELENGTH, &size[1]);
    CHECK(size[0] >= 1 && size[1] >= 1 && size[0] <= 1 << 16 && size[1] <= 1 << 16, ARGAND_FORMAT,
          "%s: tiles of %u x %u pixels", p->path, (unsigned)size[0], (unsigned)size[1]);
    const size_t bytes = size[1] * raster_tiff_row_bytes(p, size[0], apart ? 1 : s->stored);
    CHECK(TIFFTileSize64(s->file) == bytes && bytes / 65536 <= p->size, ARGAND_FORMAT,
          "%s: tiles of %zu bytes in a file of %llu", p->path, bytes, (unsigned long long)p->size);
    TRY(NEW(s->line, bytes));
    for (int c = 0; c < (apart ? p->info.channels : 1); c++)
        for (int64_t y = 0; y < p->stored_height; y += size[1])
            for (int64_t x = 0; x < p->stored_width; x += size[0])
                TRY(read_tile(p, (uint32_t)x, (uint32_t)y, size, apart ? c : -1));
    return ARGAND_OK;
}

static argand_status new_line(argand_picture *p, int stored)
{
    raster_tiff_state *s = p->state;
    const size_t bytes = raster_tiff_row_bytes(p, p->stored_width, stored);
    CHECK(TIFFScanlineSize64(s->file) == bytes, ARGAND_FORMAT,
          "%s: its rows have %llu bytes, and should have %zu", p->path,
          (unsigned long long)TIFFScanlineSize64(s->file), bytes);
    return NEW(s->line, bytes);
}

/* Reads all rows of all channels at once, or of one plane after the other. */
static argand_status read_rows(argand_picture *p, bool apart)
{
    raster_tiff_state *s = p->state;
    const int64_t width = p->stored_width, height = p->stored_height;
    const int planes = apart ? p->info.channels : 1, stored = apart ? 1 : s->stored;
    TRY(new_line(p, stored));
    for (int plane = 0; plane < planes; plane++)
        for (int64_t y = 0; y < height; y++) {
            TRY(observe_again());
            if (TIFFReadScanline(s->file, s->line, (uint32_t)y, (uint16_t)plane) < 0) return failed(p);
            for (int c = 0; c < (apart ? 1 : p->info.channels); c++)
                raster_tiff_take(p, s->whole + ((plane + c) * height + y) * width, s->line, width,
                                 step_of(s, c, stored), plane + c);
        }
    return ARGAND_OK;
}

argand_status raster_tiff_open(argand_picture *p)
{
    raster_tiff_state *s;
    TRY(NEW(s, 1));
    p->state = s;
    TRY(raster_tiff_begin(p, "rm"));
    return describe(p);
}

argand_status raster_tiff_decode(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint16_t planes = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(s->file, TIFFTAG_PLANARCONFIG, &planes);
    const bool apart = planes == PLANARCONFIG_SEPARATE && s->stored > 1;
    if (!TIFFIsTiled(s->file) && !apart && p->orientation == 1) return new_line(p, s->stored);
    const size_t plane = (size_t)p->stored_width * (size_t)p->stored_height;
    TRY(memory_take(&s->whole, memory_product(plane, (size_t)p->info.channels * sizeof *s->whole)));
    return TIFFIsTiled(s->file) ? read_tiles(p, apart) : read_rows(p, apart);
}

/* Takes a row of the upright picture from the planes. */
static void take_whole(const argand_picture *p, float *row)
{
    const raster_tiff_state *s = p->state;
    const int64_t plane = p->stored_width * p->stored_height;
    for (int64_t x = 0; x < p->info.width; x++) {
        int64_t from[2];
        raster_place(from, x, p->next, p);
        for (int c = 0; c < p->info.channels; c++)
            row[c * p->info.width + x] = s->whole[c * plane + from[1] * p->stored_width + from[0]];
    }
}

argand_status raster_tiff_read(argand_picture *p, float *row)
{
    raster_tiff_state *s = p->state;
    const int64_t width = p->info.width;
    if (!s->whole && TIFFReadScanline(s->file, s->line, (uint32_t)p->next, 0) < 0) return failed(p);
    if (s->whole) take_whole(p, row);
    for (int c = 0; c < p->info.channels && !s->whole; c++)
        raster_tiff_take(p, row + c * width, s->line, width, step_of(s, c, s->stored), c);
    for (int c = 0; c < p->info.channels && s->multiplied; c++)
        for (int64_t x = 0; x < width && c != p->info.alpha; x++)
            row[c * width + x] =
                raster_decode_multiplied(p, row[c * width + x], row[p->info.alpha * width + x]);
    return ARGAND_OK;
}
#endif
