/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of TIFF: which kinds are read, and a row's light. Codes of 1, 2 and 4 bits become codes of 8,
 * indices of a palette its colours. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_TIFF
#include <string.h>
#include "base/memory.h"
#include "io/raster/tiff.h"

enum { PALETTE = 256 }; /* entries that are kept for each colour; behind the table's end they are black */

/* ---- kinds ---- */

static const char *sample_kind(uint16_t format)
{
    return format == SAMPLEFORMAT_IEEEFP ? "floats"
           : format == SAMPLEFORMAT_INT  ? "signed whole numbers"
           : format == SAMPLEFORMAT_COMPLEXIEEEFP || format == SAMPLEFORMAT_COMPLEXINT ? "complex numbers"
                                                                                       : "whole numbers";
}

static bool is_read(uint16_t format, uint16_t bits)
{
    if (format == SAMPLEFORMAT_IEEEFP) return bits == 16 || bits == 32 || bits == 64;
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) return false;
    return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
}

argand_status raster_tiff_find_sample(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint16_t bits = 1, format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(s->file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(s->file, TIFFTAG_SAMPLEFORMAT, &format);
    CHECK(is_read(format, bits), ARGAND_UNSUPPORTED,
          "%s: %s of %d bit%s; whole numbers without sign of 1, 2, 4, 8 and 16 bits, floats of 16, 32 and 64 "
          "are "
          "read; %s",
          p->path, sample_kind(format), bits, bits == 1 ? "" : "s",
          format == SAMPLEFORMAT_INT ? "write it again as floats, which hold negative numbers"
                                     : "write it again as one of these");
    const bool whole = format != SAMPLEFORMAT_IEEEFP;
    p->info.sample = whole        ? bits <= 8 ? ARGAND_SAMPLE_U8 : ARGAND_SAMPLE_U16
                     : bits == 16 ? ARGAND_SAMPLE_F16
                                  : ARGAND_SAMPLE_F32;
    s->bits = bits;
    if (bits < 8)
        raster_note(p, "its samples of %d bit%s are read as those of 8", bits, bits == 1 ? "" : "s");
    if (bits == 64) raster_note(p, "its double precision is rounded to single");
    return ARGAND_OK;
}

/* ---- palettes ---- */

/* Returns whether 8 bits hold all entries: as c * 257 or c * 256 in tables of 16 bits, or as c in those that
 * some programs write against the standard. */
static bool is_narrow(uint16_t *const table[3], size_t count, bool *plain)
{
    bool narrow = true;
    *plain = true;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < count; i++) {
            const unsigned low = table[c][i] & 255u, high = table[c][i] >> 8;
            narrow = narrow && (low == 0 || low == high);
            *plain = *plain && high == 0;
        }
    return narrow || *plain;
}

argand_status raster_tiff_find_palette(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    uint16_t *table[3] = {0}, samples = 1;
    bool plain;
    TIFFGetFieldDefaulted(s->file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    CHECK(samples == 1 && p->info.sample == ARGAND_SAMPLE_U8, ARGAND_UNSUPPORTED,
          "%s: a palette with %d channels of %d bits; one of at most 8 is read; write the picture as RGB",
          p->path, samples, s->bits);
    CHECK(
        TIFFGetField(s->file, TIFFTAG_COLORMAP, &table[0], &table[1], &table[2]), ARGAND_FORMAT,
        "%s: its samples are indices of a palette (photometric interpretation 3), which it lacks (ColorMap)",
        p->path);
    const size_t count = (size_t)1 << s->bits;
    const bool narrow = is_narrow(table, count, &plain);
    TRY(NEW(s->palette, (size_t)3 * PALETTE));
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < count; i++)
            s->palette[c * PALETTE + i] = (uint16_t)(narrow && !plain ? table[c][i] >> 8 : table[c][i]);
    p->info.sample = narrow ? ARGAND_SAMPLE_U8 : ARGAND_SAMPLE_U16;
    raster_note(p, "its palette of %zu colours is read as RGB, and the result has no palette", count);
    return ARGAND_OK;
}

/* ---- samples ---- */

size_t raster_tiff_row_bytes(const argand_picture *p, int64_t pixels, int channels)
{
    const raster_tiff_state *s = p->state;
    return ((size_t)pixels * (size_t)channels * s->bits + 7) / 8;
}

static unsigned whole_number(const unsigned char *line, int64_t index, unsigned bits)
{
    if (bits == 16) {
        uint16_t code;
        memcpy(&code, line + 2 * index, 2);
        return code;
    }
    const unsigned at = (unsigned)(index % (8 / bits)) * bits;
    return line[index * bits / 8] >> (8 - bits - at) & (0xffu >> (8 - bits));
}

static float real_number(const unsigned char *line, int64_t index, unsigned bits)
{
    double wide;
    float single;
    if (bits == 16) return raster_from_half((uint16_t)whole_number(line, index, bits));
    memcpy(bits == 64 ? (void *)&wide : &single, line + index * (bits / 8), bits / 8);
    return bits == 64 ? (float)wide : single;
}

static unsigned code_of(const raster_tiff_state *s, const unsigned char *line, int64_t index, int channel)
{
    const unsigned code = whole_number(line, index, s->bits);
    if (s->palette) return s->palette[channel * PALETTE + (int)code];
    return s->bits < 8 ? code * (255u / (0xffu >> (8 - s->bits))) : code;
}

void raster_tiff_take(const argand_picture *p, float *to, const unsigned char *line, int64_t count,
                      raster_tiff_step step, int channel)
{
    const raster_tiff_state *s = p->state;
    const unsigned levels = raster_tiff_levels(p);
    for (int64_t i = 0; i < count; i++) {
        const int64_t index = step.first + i * step.apart;
        if (!levels) {
            to[i] = real_number(line, index, s->bits);
            continue;
        }
        unsigned code = code_of(s, line, index, channel);
        if (s->inverted && channel != p->info.alpha) code = levels - code;
        to[i] = s->multiplied ? (float)code / (float)levels : raster_decode(p, channel, code, levels);
    }
}
#endif
