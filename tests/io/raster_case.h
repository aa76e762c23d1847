/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of the tests: written from planes of floats, read back, and files put together by hand. */
#ifndef TESTS_IO_RASTER_CASE_H
#define TESTS_IO_RASTER_CASE_H

#include "folder.h"

/* Grey (1), grey and alpha (2), colour (3), colour and alpha (4). */
static inline argand_picture_info picture_info(int64_t width, int64_t height, int channels,
                                               argand_sample sample)
{
    static const char *const names[4][4] = {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
    argand_picture_info info = {.width = width, .height = height, .channels = channels, .sample = sample};
    info.alpha = channels % 2 ? -1 : channels - 1;
    info.transfer = sample <= ARGAND_SAMPLE_U16 ? ARGAND_TRANSFER_SRGB : ARGAND_TRANSFER_LINEAR;
    for (int c = 0; c < channels; c++) strcpy(info.names[c], names[channels - 1][c]);
    return info;
}

/* Random light from 0 to `most`. */
static inline float *picture_samples(const argand_picture_info *info, double most, uint64_t seed)
{
    const int64_t count = info->width * info->height * info->channels;
    float *samples = malloc((size_t)count * sizeof *samples);
    assert_non_null(samples);
    random_state random = {seed};
    for (int64_t i = 0; i < count; i++) samples[i] = (float)(most * random_uniform(&random));
    return samples;
}

static inline void put_picture(const char *path, const argand_picture_info *info, const float *samples,
                               const argand_picture *like)
{
    argand_picture *p;
    OK(argand_picture_create(&p, path, info, like));
    OK(argand_picture_write(p, info->height, samples, NULL));
    OK(argand_picture_finish(p));
    argand_picture_close(p);
}

/* All samples as planes; free() them. */
static inline float *get_picture(const char *path, argand_picture_info *info)
{
    argand_picture *p;
    OK(argand_picture_open(&p, path, NULL));
    OK(argand_picture_describe(p, info));
    float *samples = malloc((size_t)(info->width * info->height * info->channels) * sizeof *samples);
    assert_non_null(samples);
    OK(argand_picture_read(p, info->height, samples, NULL));
    argand_picture_close(p);
    return samples;
}

/* Bytes that are put one behind the other. */
typedef struct file_bytes {
    unsigned char bytes[8192];
    size_t count;
} file_bytes;

static inline void add_bytes(file_bytes *f, const void *bytes, size_t count)
{
    assert_true(f->count + count <= sizeof f->bytes);
    memcpy(f->bytes + f->count, bytes, count);
    f->count += count;
}

/* A whole number of `size` bytes, low byte first or last. */
static inline void add_number(file_bytes *f, uint64_t value, int size, bool big)
{
    unsigned char bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * (big ? size - 1 - i : i));
    add_bytes(f, bytes, (size_t)size);
}

static inline void add_float(file_bytes *f, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_number(f, bits, 4, false);
}

/* An attribute of OpenEXR's header: name, type, size; its value follows. */
static inline void add_attribute(file_bytes *f, const char *name, const char *type, unsigned size)
{
    add_bytes(f, name, strlen(name) + 1);
    add_bytes(f, type, strlen(type) + 1);
    add_number(f, size, 4, false);
}

/* An OpenEXR header of plain scan lines (https://openexr.com/en/latest/OpenEXRFileLayout.html): channels of
 * type 1 (half) or 2 (float), pixels (0, 0) to (width - 1, height - 1). */
static inline void exr_header(file_bytes *f, const char *const *channels, int count, int type, int width,
                              int height)
{
    unsigned list = 1;
    add_number(f, 20000630, 4, false);
    add_number(f, 2, 4, false);
    for (int i = 0; i < count; i++) list += (unsigned)strlen(channels[i]) + 17;
    add_attribute(f, "channels", "chlist", list);
    for (int i = 0; i < count; i++) {
        add_bytes(f, channels[i], strlen(channels[i]) + 1);
        add_number(f, (uint64_t)type, 4, false);
        add_number(f, 0, 4, false);
        const uint64_t step = strlen(channels[i]) == 2 ? 2 : 1; /* RY, BY: a sample for 2 x 2 pixels */
        add_number(f, step, 4, false);
        add_number(f, step, 4, false);
    }
    add_number(f, 0, 1, false);
    add_attribute(f, "compression", "compression", 1);
    add_number(f, 0, 1, false);
    for (int i = 0; i < 2; i++) {
        add_attribute(f, i ? "displayWindow" : "dataWindow", "box2i", 16);
        add_number(f, 0, 8, false);
        add_number(f, (uint64_t)(width - 1), 4, false);
        add_number(f, (uint64_t)(height - 1), 4, false);
    }
    add_attribute(f, "lineOrder", "lineOrder", 1);
    add_number(f, 0, 1, false);
    add_attribute(f, "pixelAspectRatio", "float", 4);
    add_float(f, 1);
    add_attribute(f, "screenWindowCenter", "v2f", 8);
    add_number(f, 0, 8, false);
    add_attribute(f, "screenWindowWidth", "float", 4);
    add_float(f, 1);
    add_number(f, 0, 1, false);
}

/* A TIFF of one strip at its end, with one entry for each {tag, type, count, value}. */
static inline void tiff_header(file_bytes *f, bool big, const uint32_t (*entries)[4], unsigned count)
{
    add_bytes(f, big ? "MM" : "II", 2);
    add_number(f, 42, 2, big);
    add_number(f, 8, 4, big);
    add_number(f, count, 2, big);
    for (unsigned i = 0; i < count; i++) {
        add_number(f, entries[i][0], 2, big);
        add_number(f, entries[i][1], 2, big);
        add_number(f, entries[i][2], 4, big);
        add_number(f, entries[i][3], entries[i][1] == 3 ? 2 : 4, big);
        if (entries[i][1] == 3) add_number(f, 0, 2, big);
    }
    add_number(f, 0, 4, big);
}

/* Whether the build has the format; the reason for a test that passes it over. */
static inline bool has_format(const char *name)
{
    if (argand_picture_lacks(name)) printf("passed over: %s: %s\n", name, argand_picture_lacks(name));
    return !argand_picture_lacks(name);
}

#endif
