/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens pictures by the ending of their name; reads and writes their rows. */
#include "io/raster/raster.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/observe.h"
#include "base/size.h"
#include "io/isolated/rows.h"

#define KNOWN "known are .exr, .png, .pfm, .tif and .tiff; .jpg and .jpeg are read only"

static const raster_format *const formats[] = {&raster_exr, &raster_png, &raster_pfm, &raster_tiff,
                                               &raster_jpeg};

static const raster_format *find(const char *path)
{
    const size_t length = path ? strlen(path) : 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int k = 0; k < 3 && formats[i]->endings[k]; k++) {
            const size_t tail = strlen(formats[i]->endings[k]);
            if (length > tail && !strcasecmp(path + length - tail, formats[i]->endings[k])) return formats[i];
        }
    return NULL;
}

bool argand_picture_is_known(const char *path)
{
    return find(path);
}

const char *argand_picture_lacks(const char *path)
{
    const raster_format *format = find(path);
    return format ? format->lacks : "no picture's ending; " KNOWN;
}

bool argand_picture_is_written(const char *path)
{
    const raster_format *format = find(path);
    return format && format->create;
}

static argand_status choose(const raster_format **format, const char *path)
{
    *format = find(path);
    CHECK(*format, ARGAND_ARGUMENT, "%s: no picture's ending; " KNOWN, path);
    CHECK(!(*format)->lacks, ARGAND_UNSUPPORTED, "%s: %s", path, (*format)->lacks);
    return ARGAND_OK;
}

static argand_status make(argand_picture **picture, const char *path)
{
    const raster_format *format;
    TRY(choose(&format, path));
    CHECK(strlen(path) < sizeof(*picture)->path, ARGAND_ARGUMENT, "%.40s...: the name is too long", path);
    TRY(NEW(*picture, 1));
    (*picture)->format = format;
    (*picture)->descriptor = -1;
    strcpy((*picture)->path, path);
    return ARGAND_OK;
}

/* Allocates the floats of one row. Sides and channels are already checked. */
static argand_status make_row(argand_picture *p)
{
    return NEW(p->row, p->info.width * p->info.channels);
}

/* ---- reading ---- */

/* Opens a regular file. O_NONBLOCK keeps a pipe from blocking; pipes and folders are refused. */
static argand_status open_file(argand_picture *p)
{
    struct stat found;
    p->descriptor = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(p->descriptor >= 0 && !fstat(p->descriptor, &found), ARGAND_FILE, "%s: cannot be read: %s", p->path,
          strerror(errno));
    CHECK(S_ISREG(found.st_mode), ARGAND_FILE, "%s: is not a file", p->path);
    p->size = (uint64_t)found.st_size;
    CHECK(p->size > 0, ARGAND_FORMAT, "%s: is empty", p->path);
    return ARGAND_OK;
}

argand_status argand_picture_open(argand_picture **picture, const char *path,
                                  const argand_picture_options *options)
{
    if (picture) *picture = NULL;
    CHECK(picture && path, ARGAND_ARGUMENT, "%s",
          path ? "nowhere to put the picture" : "no file name to read from");
    TRY(make(picture, path));
    argand_picture *p = *picture;
    if (options) p->options = *options;
    p->info.alpha = -1;
    argand_status status = open_file(p);
    if (status == ARGAND_OK) status = p->format->open(p);
    if (status == ARGAND_OK) status = make_row(p);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_picture_close(p);
    *picture = NULL;
    return status;
}

argand_status argand_picture_describe(const argand_picture *picture, argand_picture_info *info)
{
    if (info) *info = (argand_picture_info){0};
    CHECK(picture && info, ARGAND_ARGUMENT, "%s", picture ? "nowhere to describe it" : "no picture");
    *info = picture->info;
    return ARGAND_OK;
}

const char *argand_picture_note(const argand_picture *picture)
{
    return picture ? picture->note : "";
}

void raster_note(argand_picture *p, const char *format, ...)
{
    const size_t used = strlen(p->note);
    va_list list;
    if (used + 3 > sizeof p->note) return;
    if (used) strcpy(p->note + used, "; ");
    va_start(list, format);
    vsnprintf(p->note + strlen(p->note), sizeof p->note - strlen(p->note), format, list);
    va_end(list);
}

argand_status raster_read_at(const argand_picture *p, uint64_t place, void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t step = pread(p->descriptor, (char *)bytes + done, count - done, (off_t)(place + done));
        CHECK(step >= 0, ARGAND_FILE, "%s: cannot be read: %s", p->path, strerror(errno));
        CHECK(step > 0, ARGAND_FORMAT, "%s: truncated: %zu bytes expected at %llu, %zu found", p->path, count,
              (unsigned long long)place, done);
        done += (size_t)step;
    }
    return ARGAND_OK;
}

argand_status raster_write_at(argand_picture *p, uint64_t place, const void *bytes, size_t count)
{
    argand_status status = ARGAND_FILE;
    errno = 0;
    if (p->draft.stream &&
        fseeko(p->draft.stream, (off_t)place, SEEK_SET)) /* fseeko writes the buffered bytes first */
        status = file_failed(&p->draft, errno, "no place in it");
    else if (p->draft.stream)
        status = file_write(&p->draft, bytes, count);
    if (status != ARGAND_OK) p->write_failed = true;
    return status;
}

argand_status raster_check_size(const argand_picture *p, int64_t width, int64_t height, int64_t channels,
                                int pixel_bytes, uint64_t packing)
{
    CHECK(width >= 1 && height >= 1 && width <= RASTER_LONGEST && height <= RASTER_LONGEST, ARGAND_FORMAT,
          "%s: %lld x %lld pixels; each side must be 1 to %d", p->path, (long long)width, (long long)height,
          RASTER_LONGEST);
    CHECK(channels >= 1 && channels <= ARGAND_PICTURE_CHANNELS, ARGAND_FORMAT,
          "%s: %lld channels; 1 to %d are read", p->path, (long long)channels, ARGAND_PICTURE_CHANNELS);
    const uint64_t bytes = (uint64_t)width * (uint64_t)height * (uint64_t)pixel_bytes;
    CHECK(
        bytes / packing <= p->size, ARGAND_FORMAT,
        "%s: truncated, or its header is damaged: %lld x %lld pixels of %lld channels are %llu bytes, which "
        "the file's %llu cannot hold",
        p->path, (long long)width, (long long)height, (long long)channels, (unsigned long long)bytes,
        (unsigned long long)p->size);
    return ARGAND_OK;
}

argand_status raster_name_channels(argand_picture *p, int channels, bool alpha)
{
    static const char *const grey[] = {"Y"}, *const colour[] = {"R", "G", "B"};
    const int colours = channels - alpha;
    CHECK(colours == 1 || colours == 3, ARGAND_UNSUPPORTED,
          "%s: %d channels%s; 1 (grey) or 3 (red, green, blue) are read, with or without alpha", p->path,
          channels, alpha ? ", one of them alpha" : "");
    for (int c = 0; c < colours; c++) strcpy(p->info.names[c], colours == 1 ? grey[c] : colour[c]);
    if (alpha) strcpy(p->info.names[colours], "A");
    p->info.channels = channels;
    p->info.alpha = alpha ? colours : -1;
    p->info.light = (UINT32_C(1) << colours) - 1;
    return ARGAND_OK;
}

static bool is_finite(const float *numbers, int64_t count)
{
    float sum = 0;
    for (int64_t i = 0; i < count; i++) sum += numbers[i] * 0.0f;
    return sum == 0;
}

static argand_status check_finite(const argand_picture *p)
{
    const int64_t width = p->info.width;
    int c = 0;
    while (c < p->info.channels && ((p->info.bits >> c & 1) || is_finite(p->row + c * width, width))) c++;
    if (c == p->info.channels || p->options.not_finite) return ARGAND_OK;
    int64_t at = c * width;
    while (isfinite(p->row[at])) at++;
    return status_set(ARGAND_NUMERIC, "%s: pixel (%lld, %lld) of channel %s is %s; mend the picture first",
                      p->path, (long long)(at % width), (long long)p->next, p->info.names[at / width],
                      isnan(p->row[at]) ? "NaN" : "infinite");
}

static void strides_or_planes(int64_t s[3], const int64_t *strides, const argand_picture *p, int64_t rows)
{
    const int64_t planes[3] = {1, p->info.width, p->info.width * rows};
    memcpy(s, strides ? strides : planes, sizeof planes);
}

static argand_status check_rows(const argand_picture *p, int64_t rows, const float *samples, bool writing)
{
    CHECK(p && samples, ARGAND_ARGUMENT, "%s", p ? "no place for the picture's samples" : "no picture");
    CHECK(p->writing == writing, ARGAND_ARGUMENT, "%s: is open for %s", p->path,
          writing ? "reading" : "writing");
    CHECK(rows >= 0 && rows <= p->info.height - p->next, ARGAND_ARGUMENT,
          "%s: %lld rows asked for, %lld of %lld are left", p->path, (long long)rows,
          (long long)(p->info.height - p->next), (long long)p->info.height);
    return ARGAND_OK;
}

static argand_status decode_row(argand_picture *p)
{
    CHECK(!p->failed, ARGAND_FORMAT, "%s: its samples could not be decoded before", p->path);
    p->failed = !p->decoded;
    if (!p->decoded && p->format->decode) TRY(p->format->decode(p));
    p->failed = false;
    p->decoded = true;
    return p->format->read_row(p, p->row);
}

/* Decodes the next row in the child, which has a copy of the picture. */
static argand_status decode_next(void *user)
{
    argand_picture *p = user;
    TRY(decode_row(p));
    p->next++;
    return ARGAND_OK;
}

/* Starts the child. It may hold the whole picture three times: as stored, as samples, and while it is
 * rotated. */
static argand_status begin_child(argand_picture *p)
{
    const uint64_t least_memory = UINT64_C(2) << 30, least_seconds = 60, bytes_a_second = 1000000;
    const size_t floats = (size_t)(p->info.width * p->info.channels);
    const uint64_t bytes = (uint64_t)floats * sizeof *p->row * (uint64_t)p->info.height;
    const isolated_work work = {.path = p->path,
                                .descriptor = p->descriptor,
                                .next = decode_next,
                                .user = p,
                                .row = p->row,
                                .floats = floats,
                                .memory = least_memory + 3 * bytes + p->size,
                                .seconds = least_seconds + (bytes + p->size) / bytes_a_second};
    return isolated_rows_begin(&p->rows, &work);
}

static argand_status next_row(argand_picture *p)
{
    if (!p->options.isolated || !isolated_rows_can()) return decode_row(p);
    if (!p->rows) TRY(begin_child(p));
    return isolated_rows_read(p->rows);
}

argand_status argand_picture_read(argand_picture *p, int64_t rows, float *samples, const int64_t strides[3])
{
    int64_t s[3];
    TRY(check_rows(p, rows, samples, false));
    strides_or_planes(s, strides, p, rows);
    for (int64_t y = 0; y < rows; y++, p->next++) {
        TRY(observe_again());
        TRY(next_row(p));
        TRY(check_finite(p));
        for (int c = 0; c < p->info.channels; c++) {
            const float *from = p->row + c * p->info.width;
            float *to = samples + y * s[1] + c * s[2];
            for (int64_t x = 0; x < p->info.width; x++) to[x * s[0]] = from[x];
        }
    }
    return ARGAND_OK;
}

/* ---- writing ---- */

static argand_status check_info(const char *path, const argand_picture_info *info)
{
    CHECK(info->width >= 1 && info->height >= 1 && info->width <= RASTER_LONGEST &&
              info->height <= RASTER_LONGEST,
          ARGAND_ARGUMENT, "%s: a picture of %lld x %lld pixels cannot be written; each side must be 1 to %d",
          path, (long long)info->width, (long long)info->height, RASTER_LONGEST);
    CHECK(info->channels >= 1 && info->channels <= ARGAND_PICTURE_CHANNELS && info->alpha < info->channels,
          ARGAND_ARGUMENT, "%s: %d channels; 1 to %d can be written", path, info->channels,
          ARGAND_PICTURE_CHANNELS);
    CHECK(info->sample >= ARGAND_SAMPLE_U8 && info->sample <= ARGAND_SAMPLE_F32, ARGAND_ARGUMENT,
          "%s: no such sample: %d", path, (int)info->sample);
    CHECK(!((uint64_t)info->bits >> info->channels), ARGAND_ARGUMENT,
          "%s: bits names channels beyond the %d there are", path, info->channels);
    CHECK(info->transfer != ARGAND_TRANSFER_POWER || info->gamma > 0, ARGAND_ARGUMENT,
          "%s: gamma is %g; it must be above 0", path, info->gamma);
    return ARGAND_OK;
}

/* Refuses formats that are only read, or that have no 32-bit integers; then frees the picture. */
static argand_status check_written(argand_picture **picture, const char *path,
                                   const argand_picture_info *info)
{
    const raster_format *format = (*picture)->format;
    if (format->create && (!info->bits || format->whole_numbers)) return ARGAND_OK;
    memory_free(*picture);
    *picture = NULL;
    CHECK(
        !format->create, ARGAND_ARGUMENT,
        "%s: only .exr files keep whole numbers of 32 bits exactly; read the picture without the option bits",
        path);
    return status_set(ARGAND_UNSUPPORTED, "%s: this format is read, not written; write a .png or an .exr",
                      path);
}

argand_status argand_picture_create(argand_picture **picture, const char *path,
                                    const argand_picture_info *info, const argand_picture *like)
{
    if (picture) *picture = NULL;
    CHECK(picture && path && info, ARGAND_ARGUMENT, "%s",
          !path      ? "no file name to write to"
          : !picture ? "nowhere to put the picture"
                     : "nothing says what the picture is");
    TRY(check_info(path, info));
    TRY(make(picture, path));
    TRY(check_written(picture, path, info));
    argand_picture *p = *picture;
    p->info = *info;
    p->writing = true;
    argand_status status = make_row(p);
    if (status == ARGAND_OK) status = file_begin(&p->draft, path);
    if (status == ARGAND_OK) status = p->format->create(p, like && like->format == p->format ? like : NULL);
    if (status == ARGAND_OK) return ARGAND_OK;
    argand_picture_close(p);
    *picture = NULL;
    return status;
}

argand_status argand_picture_write(argand_picture *p, int64_t rows, const float *samples,
                                   const int64_t strides[3])
{
    int64_t s[3];
    TRY(check_rows(p, rows, samples, true));
    strides_or_planes(s, strides, p, rows);
    for (int64_t y = 0; y < rows; y++, p->next++) {
        TRY(observe_again());
        for (int c = 0; c < p->info.channels; c++) {
            const float *from = samples + y * s[1] + c * s[2];
            float *to = p->row + c * p->info.width;
            for (int64_t x = 0; x < p->info.width; x++) to[x] = from[x * s[0]];
        }
        TRY(p->format->write_row(p, p->row));
    }
    return ARGAND_OK;
}

argand_status argand_picture_finish(argand_picture *p)
{
    CHECK(p, ARGAND_ARGUMENT, "no picture");
    CHECK(p->writing && p->draft.stream, ARGAND_ARGUMENT, "%s: is not being written", p->path);
    CHECK(p->next == p->info.height, ARGAND_ARGUMENT, "%s: %lld of %lld rows were written", p->path,
          (long long)p->next, (long long)p->info.height);
    if (p->format->finish) TRY(p->format->finish(p));
    return file_finish(&p->draft);
}

void argand_picture_close(argand_picture *p)
{
    if (!p) return;
    isolated_rows_end(p->rows);
    p->format->close(p);
    if (p->descriptor >= 0) close(p->descriptor);
    file_abandon(&p->draft);
    memory_free(p->row);
    memory_free(p->curve);
    memory_free(p);
}
