/* SPDX-License-Identifier: BSD-3-Clause */
/* Portable float maps: "PF" (colour) or "Pf" (grey), width, height, scale (negative: little-endian), one
 * white space, and the rows from the bottom. http://www.pauldebevec.com/Research/HDR/PFM/ The scale's
 * magnitude is a unit without a standard meaning; it is kept, but samples are not multiplied by it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/plain.h"
#include "io/arrays/numbers.h"
#include "io/raster/raster.h"

enum { LONGEST_HEAD = 256 };

typedef struct pfm {
    uint64_t start; /* offset of the samples, bytes */
    double scale;
    bool swapped;
    float *line; /* as stored: interleaved */
} pfm;

/* Copies the next word and moves *at behind it. Returns NULL if there is none or it has more than 31
 * characters. */
static const char *next_word(char word[32], const char *text, size_t *at)
{
    size_t length = 0;
    *at += strspn(text + *at, " \t\r\n");
    while (text[*at + length] && !strchr(" \t\r\n", text[*at + length])) length++;
    if (length < 1 || length > 31) return NULL;
    memcpy(word, text + *at, length);
    word[length] = 0;
    *at += length;
    return word;
}

static argand_status read_number(double *value, const argand_picture *p, const char *text, size_t *at,
                                 const char *what)
{
    char word[32], *end = word;
    if (next_word(word, text, at)) *value = plain_number(word, &end);
    CHECK(end != word && !*end && isfinite(*value), ARGAND_FORMAT, "%s: its header has no %s", p->path, what);
    return ARGAND_OK;
}

static argand_status read_head(argand_picture *p, pfm *file)
{
    char text[LONGEST_HEAD + 1] = {0}, word[32] = {0};
    size_t at = 0;
    double width, height;
    TRY(raster_read_at(p, 0, text, p->size < LONGEST_HEAD ? (size_t)p->size : LONGEST_HEAD));
    next_word(word, text, &at);
    const bool colour = !strcmp(word, "PF");
    CHECK(colour || !strcmp(word, "Pf"), ARGAND_FORMAT, "%s: is no portable float map", p->path);
    TRY(read_number(&width, p, text, &at, "width"));
    TRY(read_number(&height, p, text, &at, "height"));
    TRY(read_number(&file->scale, p, text, &at, "scale"));
    CHECK(file->scale != 0, ARGAND_FORMAT, "%s: its scale is 0, whose sign says no order of bytes", p->path);
    CHECK(width == floor(width) && height == floor(height) && fabs(width) < 1e9 && fabs(height) < 1e9,
          ARGAND_FORMAT, "%s: %g x %g pixels cannot be", p->path, width, height);
    file->start = at + 1;
    file->swapped = (file->scale < 0) != numbers_host_is_little();
    TRY(raster_check_size(p, (int64_t)width, (int64_t)height, colour ? 3 : 1, colour ? 12 : 4, 1));
    p->info.width = (int64_t)width;
    p->info.height = (int64_t)height;
    p->info.sample = ARGAND_SAMPLE_F32;
    return raster_name_channels(p, colour ? 3 : 1, false);
}

static argand_status open_pfm(argand_picture *p)
{
    pfm *file;
    TRY(NEW(file, 1));
    p->state = file;
    TRY(read_head(p, file));
    const uint64_t bytes = (uint64_t)(p->info.width * p->info.height * p->info.channels) * 4;
    CHECK(file->start + bytes <= p->size, ARGAND_FORMAT,
          "%s: truncated: %llu bytes of samples expected, %llu found", p->path, (unsigned long long)bytes,
          (unsigned long long)(p->size > file->start ? p->size - file->start : 0));
    return NEW(file->line, p->info.width * p->info.channels);
}

static void swap(float *line, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, line + i, sizeof bits);
        bits = __builtin_bswap32(bits);
        memcpy(line + i, &bits, sizeof bits);
    }
}

static argand_status read_row(argand_picture *p, float *row)
{
    pfm *file = p->state;
    const int64_t width = p->info.width, count = width * p->info.channels;
    const uint64_t place = file->start + (uint64_t)((p->info.height - 1 - p->next) * count) * 4;
    TRY(raster_read_at(p, place, file->line, (size_t)count * 4));
    if (file->swapped) swap(file->line, count);
    for (int c = 0; c < p->info.channels; c++)
        for (int64_t x = 0; x < width; x++) row[c * width + x] = file->line[x * p->info.channels + c];
    return ARGAND_OK;
}

static argand_status create_pfm(argand_picture *p, const argand_picture *like)
{
    pfm *file;
    char head[128];
    CHECK((p->info.channels == 1 || p->info.channels == 3) && p->info.alpha < 0, ARGAND_ARGUMENT,
          "%s: %d channels%s; a portable float map has 1 (grey) or 3 (colour)", p->path, p->info.channels,
          p->info.alpha < 0 ? "" : ", one of them alpha");
    CHECK(p->info.sample == ARGAND_SAMPLE_F32, ARGAND_ARGUMENT,
          "%s: a portable float map has 32-bit floats and nothing else", p->path);
    TRY(NEW(file, 1));
    p->state = file;
    const double scale = like ? fabs(((const pfm *)like->state)->scale) : 1;
    const int length = plain_print(head, sizeof head, "%s\n%lld %lld\n%.9g\n",
                                   p->info.channels == 3 ? "PF" : "Pf", (long long)p->info.width,
                                   (long long)p->info.height, numbers_host_is_little() ? -scale : scale);
    file->start = (uint64_t)length;
    TRY(file_write(&p->draft, head, (size_t)length));
    return NEW(file->line, p->info.width * p->info.channels);
}

/* Writes rows from the end of the file: they are given from the top, but stored from the bottom. */
static argand_status write_row(argand_picture *p, const float *row)
{
    pfm *file = p->state;
    const int64_t width = p->info.width, count = width * p->info.channels;
    const uint64_t place = file->start + (uint64_t)((p->info.height - 1 - p->next) * count) * 4;
    for (int c = 0; c < p->info.channels; c++)
        for (int64_t x = 0; x < width; x++) file->line[x * p->info.channels + c] = row[c * width + x];
    return raster_write_at(p, place, file->line, (size_t)count * 4);
}

static void close_pfm(argand_picture *p)
{
    pfm *file = p->state;
    if (file) memory_free(file->line);
    memory_free(file);
    p->state = NULL;
}

const raster_format raster_pfm = {
    .endings = {".pfm"},
    .open = open_pfm,
    .read_row = read_row,
    .create = create_pfm,
    .write_row = write_row,
    .close = close_pfm,
};
