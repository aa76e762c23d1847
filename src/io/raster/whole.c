/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads whole pictures into arrays, and saves arrays as pictures. */
#include <string.h>
#include "base/memory.h"
#include "io/raster/raster.h"

/* Returns how many rows are converted at a time: about a megabyte of floats. */
static int64_t rows_at_once(const argand_picture *p)
{
    const int64_t rows = (1 << 18) / (p->info.width * p->info.channels);
    return rows > 1 ? rows : 1;
}

static void shape(int64_t dims[3], const argand_picture *p, int64_t rows, bool interleaved)
{
    const int64_t width = p->info.width, channels = p->info.channels;
    const int64_t planes[3] = {width, rows, channels}, pixels[3] = {channels, width, rows};
    memcpy(dims, interleaved ? pixels : planes, sizeof planes);
}

/* Sets the strides {pixel, row, channel} of the array. */
static void find_strides(int64_t strides[3], const argand_picture *p, int64_t rows, bool interleaved)
{
    const int64_t width = p->info.width, channels = p->info.channels;
    const int64_t planes[3] = {1, width, width * rows}, pixels[3] = {channels, width * channels, 1};
    memcpy(strides, interleaved ? pixels : planes, sizeof planes);
}

/* Reads rows [first, first + count) of the picture as halves. some: buffer for their planes of floats. */
static argand_status read_halves(uint16_t *to, argand_picture *p, float *some, int64_t first, int64_t count,
                                 const int64_t strides[3])
{
    TRY(argand_picture_read(p, count, some, NULL));
    for (int c = 0; c < p->info.channels; c++)
        for (int64_t y = 0; y < count; y++)
            for (int64_t x = 0; x < p->info.width; x++)
                to[(first + y) * strides[1] + x * strides[0] + c * strides[2]] =
                    raster_half(some[(c * count + y) * p->info.width + x]);
    return ARGAND_OK;
}

static argand_status read_all(void *to, argand_picture *p, int64_t rows, argand_type type, bool interleaved)
{
    int64_t strides[3];
    float *some = NULL;
    const int64_t most = rows_at_once(p);
    find_strides(strides, p, rows, interleaved);
    if (type == ARGAND_R32) return argand_picture_read(p, rows, to, strides);
    argand_status status = NEW(some, most * p->info.width * p->info.channels);
    for (int64_t y = 0; y < rows && status == ARGAND_OK; y += most)
        status = read_halves(to, p, some, y, rows - y < most ? rows - y : most, strides);
    memory_free(some);
    return status;
}

argand_status argand_picture_load(argand_array **array, argand_picture *p, argand_device *device,
                                  argand_type type, bool interleaved)
{
    if (array) *array = NULL;
    CHECK(array && p && device, ARGAND_ARGUMENT, "%s",
          !p       ? "no picture to read"
          : !array ? "nowhere to put the array"
                   : "no device");
    CHECK(type == ARGAND_R32 || type == ARGAND_R16, ARGAND_ARGUMENT,
          "%s: pictures are read as floats or halves, not as %s", p->path, argand_type_name(type));
    const int64_t rows = p->info.height - p->next;
    int64_t dims[3];
    void *samples = NULL;
    argand_status status = ARGAND_OK;
    CHECK(type == ARGAND_R32 || !p->info.bits, ARGAND_ARGUMENT,
          "%s: its whole numbers of 32 bits (option bits) are read as floats, not as halves", p->path);
    CHECK(!p->writing && rows > 0, ARGAND_ARGUMENT, "%s: no rows are left to read", p->path);
    shape(dims, p, rows, interleaved);
    TRY(memory_take(&samples,
                    memory_product((size_t)(dims[0] * dims[1]), (size_t)dims[2] * argand_type_size(type))));
    TRY_OR_DONE(read_all(samples, p, rows, type, interleaved));
    TRY_OR_DONE(argand_array_create(array, device, type, 3, dims));
    TRY_OR_DONE(argand_array_upload(*array, samples));
done:
    memory_free(samples);
    if (status != ARGAND_OK) {
        argand_array_destroy(*array);
        *array = NULL;
    }
    return status;
}

/* ---- writing ---- */

static argand_status write_halves(argand_picture *p, const uint16_t *from, float *some, int64_t count,
                                  const int64_t strides[3])
{
    const int64_t first = p->next;
    for (int c = 0; c < p->info.channels; c++)
        for (int64_t y = 0; y < count; y++)
            for (int64_t x = 0; x < p->info.width; x++)
                some[(c * count + y) * p->info.width + x] =
                    raster_from_half(from[(first + y) * strides[1] + x * strides[0] + c * strides[2]]);
    return argand_picture_write(p, count, some, NULL);
}

static argand_status write_all(argand_picture *p, const void *from, argand_type type, bool interleaved)
{
    int64_t strides[3];
    float *some = NULL;
    const int64_t most = rows_at_once(p), rows = p->info.height;
    find_strides(strides, p, rows, interleaved);
    if (type == ARGAND_R32) return argand_picture_write(p, rows, from, strides);
    argand_status status = NEW(some, most * p->info.width * p->info.channels);
    for (int64_t y = 0; y < rows && status == ARGAND_OK; y += most)
        status = write_halves(p, from, some, rows - y < most ? rows - y : most, strides);
    memory_free(some);
    return status;
}

argand_status argand_picture_save(argand_picture *p, const argand_array *array, bool interleaved)
{
    CHECK(p && array, ARGAND_ARGUMENT, "%s", p ? "no array to write" : "no picture to write");
    const argand_type type = argand_array_type(array);
    int64_t dims[3];
    void *samples = NULL;
    CHECK(type == ARGAND_R32 || type == ARGAND_R16, ARGAND_ARGUMENT,
          "%s: pictures are written from floats or halves, not from %s", p->path, argand_type_name(type));
    CHECK(p->writing && p->next == 0, ARGAND_ARGUMENT, "%s: is not a picture that is to be written", p->path);
    shape(dims, p, p->info.height, interleaved);
    for (int i = 0; i < ARGAND_MAX_RANK; i++)
        CHECK(argand_array_dim(array, i) == (i < 3 ? dims[i] : 1), ARGAND_ARGUMENT,
              "%s: dimension %d of the array is %lld; the picture has %lld there", p->path, i,
              (long long)argand_array_dim(array, i), (long long)(i < 3 ? dims[i] : 1));
    TRY(memory_take(&samples, memory_product((size_t)argand_array_count(array), argand_type_size(type))));
    argand_status status = argand_array_download(array, samples);
    if (status == ARGAND_OK) status = write_all(p, samples, type, interleaved);
    memory_free(samples);
    return status == ARGAND_OK ? argand_picture_finish(p) : status;
}
