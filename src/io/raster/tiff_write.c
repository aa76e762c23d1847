/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes TIFF in strips, compressed by deflate or by the method of the picture given as `like`. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_TIFF
#include <string.h>
#include "base/memory.h"
#include "io/raster/tiff.h"

static argand_status failed(const argand_picture *p)
{
    const raster_tiff_state *s = p->state;
    if (p->write_failed) return ARGAND_FILE; /* its message is already set */
    return file_failed(&p->draft, 0, *s->reason ? s->reason : "libtiff says no more");
}

static argand_status check(const argand_picture *p)
{
    const int colours = p->info.channels - (p->info.alpha >= 0);
    CHECK(colours == 1 || colours == 3, ARGAND_ARGUMENT,
          "%s: %d channels%s; TIFF is written with 1 (grey) or 3 (colour), with or without alpha", p->path,
          p->info.channels, p->info.alpha >= 0 ? ", one of them alpha" : "");
    CHECK(p->info.alpha < 0 || p->info.alpha == colours, ARGAND_ARGUMENT,
          "%s: alpha is channel %d; in TIFF it is the last", p->path, p->info.alpha);
    return ARGAND_OK;
}

static uint16_t choose_compression(const argand_picture *like)
{
    const uint16_t theirs =
        like ? ((const raster_tiff_state *)like->state)->compression : COMPRESSION_ADOBE_DEFLATE;
    const bool keeps = theirs == COMPRESSION_NONE || theirs == COMPRESSION_LZW ||
                       theirs == COMPRESSION_PACKBITS || theirs == COMPRESSION_DEFLATE;
    return keeps && TIFFIsCODECConfigured(theirs) ? theirs : COMPRESSION_ADOBE_DEFLATE;
}

/* Returns true for descriptions that tell a program the layout of the file that they come from: those of
 * tifffile, and of ImageJ and OME if the file has more pictures than are copied. */
static bool tells_layout(const char *text, bool several)
{
    if (!strncmp(text, "{\"shape\":", 9)) return true;
    return several && (!strncmp(text, "ImageJ=", 7) || strstr(text, "<OME"));
}

static void copy_texts(TIFF *to, const raster_tiff_state *like)
{
    TIFF *from = like->file;
    static const uint32_t texts[] = {
        TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_DOCUMENTNAME, TIFFTAG_ARTIST, TIFFTAG_COPYRIGHT,
        TIFFTAG_DATETIME,         TIFFTAG_MAKE,         TIFFTAG_MODEL,  TIFFTAG_HOSTCOMPUTER};
    static const uint32_t blocks[] = {TIFFTAG_ICCPROFILE, TIFFTAG_XMLPACKET};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text;
        if (TIFFGetField(from, texts[i], &text) && !tells_layout(text, like->several))
            TIFFSetField(to, texts[i], text);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        uint32_t count;
        const void *bytes;
        if (TIFFGetField(from, blocks[i], &count, &bytes)) TIFFSetField(to, blocks[i], count, bytes);
    }
}

/* Copies the resolution; exchanged: columns and rows are exchanged. */
static void copy_numbers(TIFF *to, TIFF *from, bool exchanged)
{
    const uint32_t x = exchanged ? TIFFTAG_YRESOLUTION : TIFFTAG_XRESOLUTION,
                   y = exchanged ? TIFFTAG_XRESOLUTION : TIFFTAG_YRESOLUTION;
    uint16_t unit;
    float real;
    if (TIFFGetField(from, TIFFTAG_RESOLUTIONUNIT, &unit)) TIFFSetField(to, TIFFTAG_RESOLUTIONUNIT, unit);
    if (TIFFGetField(from, x, &real)) TIFFSetField(to, TIFFTAG_XRESOLUTION, (double)real);
    if (TIFFGetField(from, y, &real)) TIFFSetField(to, TIFFTAG_YRESOLUTION, (double)real);
}

static void set_samples(argand_picture *p)
{
    const raster_tiff_state *s = p->state;
    const bool alpha = p->info.alpha >= 0;
    const uint16_t extra = p->info.associated ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(s->file, TIFFTAG_SAMPLESPERPIXEL, p->info.channels);
    TIFFSetField(s->file, TIFFTAG_BITSPERSAMPLE, 8 * s->sample_bytes);
    TIFFSetField(s->file, TIFFTAG_SAMPLEFORMAT,
                 raster_tiff_levels(p) ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP);
    TIFFSetField(s->file, TIFFTAG_PHOTOMETRIC,
                 p->info.channels - alpha == 3 ? PHOTOMETRIC_RGB
                 : s->inverted                 ? PHOTOMETRIC_MINISWHITE
                                               : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(s->file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    if (alpha) TIFFSetField(s->file, TIFFTAG_EXTRASAMPLES, 1, &extra);
}

static void set_compression(argand_picture *p)
{
    const raster_tiff_state *s = p->state;
    const bool differences = s->compression != COMPRESSION_NONE && s->compression != COMPRESSION_PACKBITS;
    TIFFSetField(s->file, TIFFTAG_COMPRESSION, s->compression);
    if (differences && p->info.sample != ARGAND_SAMPLE_F16)
        TIFFSetField(s->file, TIFFTAG_PREDICTOR,
                     raster_tiff_levels(p) ? PREDICTOR_HORIZONTAL : PREDICTOR_FLOATINGPOINT);
    TIFFSetField(s->file, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(s->file, 0));
}

argand_status raster_tiff_create(argand_picture *p, const argand_picture *like)
{
    raster_tiff_state *s;
    TRY(check(p));
    TRY(NEW(s, 1));
    p->state = s;
    s->sample_bytes = p->info.sample == ARGAND_SAMPLE_U8 ? 1 : p->info.sample == ARGAND_SAMPLE_F32 ? 4 : 2;
    s->compression = choose_compression(like);
    s->multiplied = raster_tiff_multiplied(p);
    s->inverted = like && raster_tiff_levels(p) && ((const raster_tiff_state *)like->state)->inverted;
    const size_t bytes = (size_t)p->info.width * (size_t)(p->info.channels * s->sample_bytes);
    TRY(NEW(s->line, bytes));
    /* classic TIFF holds at most 4 GB */
    TRY(raster_tiff_begin(p, bytes * (size_t)p->info.height > UINT32_C(4000000000) ? "w8" : "w"));
    TIFFSetField(s->file, TIFFTAG_IMAGEWIDTH, (uint32_t)p->info.width);
    TIFFSetField(s->file, TIFFTAG_IMAGELENGTH, (uint32_t)p->info.height);
    set_samples(p);
    set_compression(p);
    if (like) copy_texts(s->file, like->state);
    if (like) copy_numbers(s->file, ((const raster_tiff_state *)like->state)->file, like->orientation >= 5);
    return *s->reason ? failed(p) : ARGAND_OK;
}

static void put(const argand_picture *p, unsigned char *at, float light, float alpha, int channel)
{
    const raster_tiff_state *s = p->state;
    const unsigned levels = raster_tiff_levels(p);
    uint16_t code = levels ? 0 : s->sample_bytes == 2 ? raster_half(light) : 0;
    if (levels && s->multiplied && channel != p->info.alpha) {
        const float share = raster_encode_multiplied(p, light, alpha);
        code = (uint16_t)((share < 1 ? share : 1) * (float)levels + 0.5f);
    } else if (levels)
        code = (uint16_t)raster_encode(p, channel, light, levels);
    if (levels && s->inverted && channel != p->info.alpha) code = (uint16_t)(levels - code);
    if (s->sample_bytes == 1)
        *at = (unsigned char)code;
    else if (s->sample_bytes == 2)
        memcpy(at, &code, 2);
    else
        memcpy(at, &light, 4);
}

argand_status raster_tiff_write(argand_picture *p, const float *row)
{
    raster_tiff_state *s = p->state;
    const int channels = p->info.channels;
    for (int c = 0; c < channels; c++)
        for (int64_t x = 0; x < p->info.width; x++)
            put(p, s->line + (x * channels + c) * s->sample_bytes, row[c * p->info.width + x],
                s->multiplied ? row[p->info.alpha * p->info.width + x] : 1, c);
    return TIFFWriteScanline(s->file, s->line, (uint32_t)p->next, 0) < 0 ? failed(p) : ARGAND_OK;
}

argand_status raster_tiff_complete(argand_picture *p)
{
    const raster_tiff_state *s = p->state;
    return TIFFFlush(s->file) && !*s->reason ? ARGAND_OK : failed(p);
}
#endif
