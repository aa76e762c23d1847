/* SPDX-License-Identifier: BSD-3-Clause */
/* TIFF: libtiff's access to files. libtiff sees no file name, prints nothing,
 * and cannot allocate the sizes that a damaged file claims. */
#include "io/raster/raster.h"

#ifdef ARGAND_HAVE_TIFF
#include <stdio.h>
#include "base/memory.h"
#include "io/raster/tiff.h"

static const tmsize_t largest_block = (tmsize_t)1 << 30;

static int keep_reason(TIFF *file, void *user, const char *module, const char *format, va_list arguments)
{
    raster_tiff_state *s = ((argand_picture *)user)->state;
    (void)file, (void)module;
    if (s && !*s->reason) vsnprintf(s->reason, sizeof s->reason, format, arguments);
    return 1;
}

static int drop_reason(TIFF *file, void *user, const char *module, const char *format, va_list arguments)
{
    (void)file, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *bytes, tmsize_t count)
{
    argand_picture *p = handle;
    raster_tiff_state *s = p->state;
    if (p->writing) {
        if (fseeko(p->draft.stream, (off_t)s->place, SEEK_SET)) return -1;
        count = (tmsize_t)fread(bytes, 1, (size_t)count, p->draft.stream);
    } else {
        const int64_t left = (int64_t)p->size - s->place;
        if (count > left) count = left > 0 ? (tmsize_t)left : 0;
        if (raster_read_at(p, (uint64_t)s->place, bytes, (size_t)count) != ARGAND_OK) return -1;
    }
    s->place += count;
    return count;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count)
{
    argand_picture *p = handle;
    raster_tiff_state *s = p->state;
    if (!p->writing || raster_write_at(p, (uint64_t)s->place, bytes, (size_t)count) != ARGAND_OK) return -1;
    s->place += count;
    if ((uint64_t)s->place > p->size) p->size = (uint64_t)s->place;
    return count;
}

static toff_t seek(thandle_t handle, toff_t place, int from)
{
    const argand_picture *p = handle;
    raster_tiff_state *s = p->state;
    const int64_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? s->place : (int64_t)p->size;
    if (place > INT64_MAX - (uint64_t)start) return (toff_t)-1;
    s->place = start + (int64_t)place;
    return (toff_t)s->place;
}

static int stay_open(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t file_size(thandle_t handle)
{
    return ((const argand_picture *)handle)->size;
}

argand_status raster_tiff_begin(argand_picture *p, const char *mode)
{
    raster_tiff_state *s = p->state;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    CHECK(options, ARGAND_MEMORY, "%s: no memory for it", p->path);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest_block);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_reason, p);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_reason, p);
    s->file = TIFFClientOpenExt(p->path, mode, p, read_bytes, write_bytes, seek, stay_open, file_size, NULL,
                                NULL, options);
    TIFFOpenOptionsFree(options);
    if (s->file) return ARGAND_OK;
    if (p->write_failed) return ARGAND_FILE; /* its message is already set */
    if (p->writing) return file_failed(&p->draft, 0, s->reason);
    return status_set(ARGAND_FORMAT, "%s: is no TIFF file, or damaged: %s", p->path, s->reason);
}

unsigned raster_tiff_levels(const argand_picture *p)
{
    return p->info.sample == ARGAND_SAMPLE_U8 ? 255 : p->info.sample == ARGAND_SAMPLE_U16 ? 65535 : 0;
}

bool raster_tiff_multiplied(const argand_picture *p)
{
    return p->info.associated && p->info.alpha >= 0 && raster_tiff_levels(p) &&
           p->info.transfer != ARGAND_TRANSFER_LINEAR;
}

typedef struct kind {
    uint16_t code;
    const char *name;
} kind;

static const char *name_of(const kind *kinds, size_t count, uint16_t code)
{
    for (size_t i = 0; i < count; i++)
        if (kinds[i].code == code) return kinds[i].name;
    return "of a kind that is not known";
}

const char *raster_tiff_colours(uint16_t photometric)
{
    static const kind kinds[] = {{PHOTOMETRIC_MASK, "a mask"},
                                 {PHOTOMETRIC_SEPARATED, "CMYK, for print"},
                                 {PHOTOMETRIC_YCBCR, "YCbCr"},
                                 {PHOTOMETRIC_CIELAB, "CIE L*a*b*"},
                                 {PHOTOMETRIC_ICCLAB, "ICC L*a*b*"},
                                 {PHOTOMETRIC_ITULAB, "ITU L*a*b*"},
                                 {32803, "a camera's raw samples (CFA)"},
                                 {34892, "a camera's linear raw samples"},
                                 {PHOTOMETRIC_LOGL, "logarithms of luminance (LogL)"},
                                 {PHOTOMETRIC_LOGLUV, "LogLuv"}};
    return name_of(kinds, sizeof kinds / sizeof *kinds, photometric);
}

const char *raster_tiff_method(uint16_t compression)
{
    static const kind kinds[] = {{COMPRESSION_OJPEG, "old JPEG"},
                                 {COMPRESSION_JPEG, "JPEG"},
                                 {COMPRESSION_LZMA, "LZMA"},
                                 {COMPRESSION_ZSTD, "Zstandard"},
                                 {COMPRESSION_WEBP, "WebP"},
                                 {COMPRESSION_LERC, "LERC"},
                                 {COMPRESSION_JP2000, "JPEG 2000"},
                                 {33003, "JPEG 2000"},
                                 {33005, "JPEG 2000"},
                                 {34933, "PNG"},
                                 {COMPRESSION_JXL, "JPEG XL"},
                                 {52546, "JPEG XL"}};
    return name_of(kinds, sizeof kinds / sizeof *kinds, compression);
}

void raster_tiff_close(argand_picture *p)
{
    raster_tiff_state *s = p->state;
    if (!s) return;
    if (s->file) TIFFClose(s->file);
    memory_free(s->line);
    memory_free(s->whole);
    memory_free(s->palette);
    memory_free(s);
    p->state = NULL;
}
#endif
