/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the dynamic range of images by two launches and the download of a few numbers. */
#include <math.h>
#include <stdio.h>
#include "array/layout.h"
#include "base/memory.h"
#include "conv/wide.h"
#include "kernels/conv/params.h"

enum { NUMBERS = 5, RUN = 8 };   /* numbers of a group; RUN is RANGE_RUN of the kernel */
static const double NONE = 3e38; /* RANGE_NONE of the kernel */

/* Downloads numbers as doubles; a device without doubles computes floats, which are converted. */
static argand_status fetch(double *numbers, const storage *from, size_t count)
{
    if (device_has_double(storage_device(from)))
        return storage_download(from, 0, numbers, count * sizeof *numbers);
    float *floats;
    TRY(NEW(floats, count));
    const argand_status status = storage_download(from, 0, floats, count * sizeof *floats);
    for (size_t i = 0; i < count; i++) numbers[i] = (double)floats[i];
    memory_free(floats);
    return status;
}

static argand_status start(const char *name, bool wide, argand_device *device, storage *to, storage *from,
                           const struct conv_range_params *p, int64_t groups)
{
    char key[48];
    storage *const memory[2] = {to, from};
    snprintf(key, sizeof key, "%s REAL=%s", name, wide ? "double" : "float");
    const kernel_run run = {.key = key,
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 2,
                            .params = p,
                            .params_bytes = sizeof *p};
    return kernel_start(device, &run);
}

static conv_range range_of(const double *numbers, double elements)
{
    return (conv_range){.norm = sqrt(numbers[0]),
                        .rms = sqrt(numbers[0] / elements),
                        .brightest = numbers[1],
                        .darkest = -numbers[2] < 0.99 * NONE ? -numbers[2] : INFINITY,
                        .zeros = numbers[3] > 0,
                        /* squares that underflow, and runs beyond NONE, carry no information on the range */
                        .nonfinite =
                            numbers[4] > 0 || sqrt(numbers[0]) < 0.5 * numbers[1] || numbers[1] > NONE};
}

/* Makes a view of one image whose first axis is one that has a whole run. */
static argand_array image_of(const argand_array *in, int axes)
{
    argand_array image = *in;
    int along = 0;
    image.rank = axes;
    image.count = 1;
    for (int d = 0; d < axes; d++) image.count *= image.dims[d];
    while (along < axes && in->dims[along] < CONV_RUN) along++;
    if (along == axes) return image;
    image.dims[0] = in->dims[along];
    image.strides[0] = in->strides[along];
    image.dims[along] = in->dims[0];
    image.strides[along] = in->strides[0];
    return image;
}

argand_status conv_range_begin(conv_range_numbers *r, const argand_array *in, int axes)
{
    const argand_array image = image_of(in, axes);
    argand_device *const device = argand_array_device(in);
    struct conv_range_params p = {.type = (int)in->type};
    const int64_t width = type_has_pairs(in->type) + 1;
    const bool wide = type_is_double(in->type);
    storage *parts = NULL;
    *r = (conv_range_numbers){.images = in->dims[axes] * argand_array_dim(in, axes + 1),
                              .elements = (double)image.count};
    TRY(layout_make_any(&p.at, &p.groups, "argand_conv_apply", 0, 1, (const argand_array *const[]){&image}));
    p.channels = in->dims[axes];
    p.channel_step = in->strides[axes] * width;
    p.batch_step = in->rank > axes + 1 ? in->strides[axes + 1] * width : 0;
    const size_t bytes = NUMBERS * sizeof(double), groups = (size_t)(p.groups * r->images);
    argand_status status = storage_scratch(&parts, device, groups * bytes);
    if (!status) status = storage_scratch(&r->total, device, (size_t)r->images * bytes);
    if (!status) status = start("conv_range", wide, device, parts, in->storage, &p, (int64_t)groups);
    if (!status) status = start("conv_range_total", wide, device, r->total, parts, &p, r->images);
    storage_release(parts);
    if (status) conv_range_free(r);
    return status;
}

void conv_range_free(conv_range_numbers *r)
{
    storage_release(r->total);
    r->total = NULL;
}

argand_status conv_range_end(conv_range *ranges, conv_range_numbers *r)
{
    double *numbers = NULL;
    argand_status status = NEW(numbers, r->images * NUMBERS);
    if (status == ARGAND_OK) status = fetch(numbers, r->total, (size_t)r->images * NUMBERS);
    for (int64_t i = 0; i < r->images && status == ARGAND_OK; i++)
        ranges[i] = range_of(numbers + i * NUMBERS, r->elements);
    memory_free(numbers);
    conv_range_free(r);
    return status;
}

argand_status conv_range_read(conv_range *ranges, const argand_array *in, int axes)
{
    conv_range_numbers numbers;
    TRY(conv_range_begin(&numbers, in, axes));
    return conv_range_end(ranges, &numbers);
}

/* The factors are measured (docs/internals/conv.md): white noise reaches at most 9; a result of few
 * elements, or of one plateau that is added to other results, at most 4. */
double conv_range_rounding(const conv_range *r, double shape)
{
    const double result = fmin(1.2 * r->brightest, r->norm * shape);
    return 9 * r->rms + 4 * result;
}

bool conv_range_is_high(const conv_range *r, double shape, double limit)
{
    return conv_range_rounding(r, shape) > limit * r->darkest;
}
