/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the first picture of a TIFF file: 8 and 16 bits, halves and floats; grey or colour, with or
 * without alpha. Strips are read row by row, tiles and separate planes as a whole. */
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

static argand_status find_sample(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint16_t bits = 1, format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(s->file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(s->file, TIFFTAG_SAMPLEFORMAT, &format);
    const bool whole = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
    CHECK((whole && (bits == 8 || bits == 16)) ||
              (format == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32)),
          ARGAND_UNSUPPORTED, "%s: %s of %d bits; whole numbers of 8 and 16, floats of 16 and 32 are read",
          p->path,
          whole                           ? "whole numbers"
          : format == SAMPLEFORMAT_IEEEFP ? "floats"
                                          : "samples",
          bits);
    p->info.sample = whole        ? bits == 8 ? ARGAND_SAMPLE_U8 : ARGAND_SAMPLE_U16
                     : bits == 16 ? ARGAND_SAMPLE_F16
                                  : ARGAND_SAMPLE_F32;
    s->sample_bytes = bits / 8;
    return ARGAND_OK;
}

static argand_status find_colours(argand_picture *p, int *colours)
{
    raster_tiff_state *s = p->state;
    uint16_t meaning = 0xffff;
    TIFFGetField(s->file, TIFFTAG_PHOTOMETRIC, &meaning);
    if (s->compression == COMPRESSION_JPEG && meaning == PHOTOMETRIC_YCBCR) {
        TIFFSetField(s->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        meaning = PHOTOMETRIC_RGB;
    }
    CHECK(meaning == PHOTOMETRIC_MINISBLACK || meaning == PHOTOMETRIC_MINISWHITE ||
              meaning == PHOTOMETRIC_RGB,
          ARGAND_UNSUPPORTED, "%s: photometric interpretation %d; grey (0, 1) and RGB (2) are read", p->path,
          meaning);
    s->inverted = meaning == PHOTOMETRIC_MINISWHITE;
    *colours = meaning == PHOTOMETRIC_RGB ? 3 : 1;
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
    CHECK(samples == colours || samples == colours + 1, ARGAND_UNSUPPORTED,
          "%s: %d channels; grey has 1, colour 3, and one more for alpha", p->path, samples);
    if (samples > colours && TIFFGetField(s->file, TIFFTAG_EXTRASAMPLES, &extra_count, &extras) &&
        extra_count)
        p->info.associated = extras[0] == EXTRASAMPLE_ASSOCALPHA;
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

static argand_status describe(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint32_t width = 0, height = 0;
    TIFFGetField(s->file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(s->file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(s->file, TIFFTAG_COMPRESSION, &s->compression);
    TRY(find_sample(p));
    TRY(find_channels(p));
    TRY(raster_check_size(p, width, height, p->info.channels, p->info.channels * s->sample_bytes,
                          packing(s->compression)));
    p->info.width = width;
    p->info.height = height;
    const unsigned levels = raster_tiff_levels(p);
    if (levels && !p->options.stored) p->info.transfer = ARGAND_TRANSFER_SRGB;
    return levels ? raster_make_curve(p, levels) : ARGAND_OK;
}

/* ---- samples ---- */

/* Decodes `count` samples of a channel, which are `step` apart in `from`. */
static void take(const argand_picture *p, float *to, const unsigned char *from, int64_t count, int64_t step,
                 int channel)
{
    const raster_tiff_state *s = p->state;
    const unsigned levels = raster_tiff_levels(p);
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *at = from + i * step * s->sample_bytes;
        uint16_t code = *at;
        if (s->sample_bytes == 2) memcpy(&code, at, 2);
        if (s->sample_bytes == 4)
            memcpy(to + i, at, 4);
        else if (!levels)
            to[i] = raster_from_half(code);
        else {
            if (s->inverted && channel != p->info.alpha) code = (uint16_t)(levels - code);
            to[i] = raster_decode(p, channel, code, levels);
        }
    }
}

/* Reads a tile of all channels, or of one channel if they are stored in separate planes. */
static argand_status read_tile(argand_picture *p, uint32_t x, uint32_t y, const uint32_t size[2], int channel)
{
    raster_tiff_state *s = p->state;
    const int64_t width = p->info.width, height = p->info.height;
    const int64_t columns = width - x < size[0] ? width - x : size[0];
    const int64_t rows = height - y < size[1] ? height - y : size[1];
    const int apart = channel >= 0, channels = apart ? 1 : p->info.channels;
    TRY(observe_again());
    if (TIFFReadTile(s->file, s->line, x, y, 0, (uint16_t)(apart ? channel : 0)) < 0) return failed(p);
    for (int64_t row = 0; row < rows; row++)
        for (int c = 0; c < channels; c++) {
            const int to = apart ? channel : c;
            take(p, s->whole + (to * height + y + row) * width + x,
                 s->line + (row * size[0] * channels + c) * s->sample_bytes, columns, channels, to);
        }
    return ARGAND_OK;
}

static argand_status read_tiles(argand_picture *p, bool apart)
{
    raster_tiff_state *s = p->state;
    uint32_t size[2] = {0, 0};
    TIFFGetField(s->file, TIFFTAG_TILEWIDTH, &size[0]);
    TIFFGetField(s->file, TIFFTAG_TILELENGTH, &size[1]);
    const int channels = apart ? 1 : p->info.channels;
    CHECK(size[0] >= 1 && size[1] >= 1 && size[0] <= 1 << 16 && size[1] <= 1 << 16, ARGAND_FORMAT,
          "%s: tiles of %u x %u pixels", p->path, (unsigned)size[0], (unsigned)size[1]);
    const size_t bytes = (size_t)size[0] * size[1] * (size_t)(channels * s->sample_bytes);
    CHECK(TIFFTileSize64(s->file) == bytes && bytes / 65536 <= p->size, ARGAND_FORMAT,
          "%s: tiles of %zu bytes in a file of %llu", p->path, bytes, (unsigned long long)p->size);
    TRY(NEW(s->line, bytes));
    for (int c = 0; c < (apart ? p->info.channels : 1); c++)
        for (int64_t y = 0; y < p->info.height; y += size[1])
            for (int64_t x = 0; x < p->info.width; x += size[0])
                TRY(read_tile(p, (uint32_t)x, (uint32_t)y, size, apart ? c : -1));
    return ARGAND_OK;
}

static argand_status new_line(argand_picture *p, int channels)
{
    raster_tiff_state *s = p->state;
    const size_t bytes = (size_t)p->info.width * (size_t)(channels * s->sample_bytes);
    CHECK(TIFFScanlineSize64(s->file) == bytes, ARGAND_FORMAT,
          "%s: its rows have %llu bytes, and should have %zu", p->path,
          (unsigned long long)TIFFScanlineSize64(s->file), bytes);
    return NEW(s->line, bytes);
}

static argand_status read_planes(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    TRY(new_line(p, 1));
    for (int c = 0; c < p->info.channels; c++)
        for (int64_t y = 0; y < p->info.height; y++) {
            TRY(observe_again());
            if (TIFFReadScanline(s->file, s->line, (uint32_t)y, (uint16_t)c) < 0) return failed(p);
            take(p, s->whole + (c * p->info.height + y) * p->info.width, s->line, p->info.width, 1, c);
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
    const bool apart = planes == PLANARCONFIG_SEPARATE && p->info.channels > 1;
    if (!TIFFIsTiled(s->file) && !apart) return new_line(p, p->info.channels);
    const size_t plane = (size_t)p->info.width * (size_t)p->info.height;
    TRY(memory_take(&s->whole, memory_product(plane, (size_t)p->info.channels * sizeof *s->whole)));
    return TIFFIsTiled(s->file) ? read_tiles(p, apart) : read_planes(p);
}

argand_status raster_tiff_read(argand_picture *p, float *row)
{
    raster_tiff_state *s = p->state;
    const int64_t width = p->info.width;
    if (!s->whole && TIFFReadScanline(s->file, s->line, (uint32_t)p->next, 0) < 0) return failed(p);
    for (int c = 0; c < p->info.channels; c++) {
        if (!s->whole)
            take(p, row + c * width, s->line + c * s->sample_bytes, width, p->info.channels, c);
        else
            memcpy(row + c * width, s->whole + (c * p->info.height + p->next) * width, (size_t)width * 4);
    }
    return ARGAND_OK;
}
#endif
