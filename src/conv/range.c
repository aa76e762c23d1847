/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamic range of images: one launch and one download. */
#include <math.h>
#include "array/layout.h"
#include "base/memory.h"
#include "conv/wide.h"
#include "kernels/conv/params.h"

enum { NUMBERS = 5, RUN = 8 };   /* of a group; RANGE_RUN of the kernel */
static const double NONE = 3e38; /* RANGE_NONE of the kernel */

/* As doubles; a device without doubles has made floats. */
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

static argand_status start(const argand_array *in, storage *result, const struct conv_range_params *p,
                           int64_t groups)
{
    storage *const memory[2] = {result, in->storage};
    const kernel_run run = {.key =
                                type_is_double(in->type) ? "conv_range REAL=double" : "conv_range REAL=float",
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 2,
                            .params = p,
                            .params_bytes = sizeof *p};
    return kernel_start(argand_array_device(in), &run);
}

static conv_range add_up(const double *numbers, int64_t groups, double elements)
{
    conv_range r = {.darkest = INFINITY};
    double square = 0;
    for (int64_t i = 0; i < groups; i++, numbers += NUMBERS) {
        square += numbers[0];
        r.brightest = fmax(r.brightest, numbers[1]);
        if (-numbers[2] < 0.99 * NONE) r.darkest = fmin(r.darkest, -numbers[2]);
        r.zeros = r.zeros || numbers[3] > 0;
        r.strange = r.strange || numbers[4] > 0;
    }
    r.norm = sqrt(square);
    r.rms = sqrt(square / elements);
    return r;
}

/* One image, whose runs go along the first axis that has a whole one. */
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

argand_status conv_range_read(conv_range *ranges, const argand_array *in, int axes)
{
    const argand_array image = image_of(in, axes);
    struct conv_range_params p = {.type = (int)in->type};
    const int64_t images = in->dims[axes] * argand_array_dim(in, axes + 1),
                  width = type_has_pairs(in->type) + 1;
    storage *result = NULL;
    double *numbers = NULL;
    TRY(layout_make_any(&p.at, &p.groups, "argand_conv_apply", 0, 1, (const argand_array *const[]){&image}));
    p.channels = in->dims[axes];
    p.channel_step = in->strides[axes] * width;
    p.batch_step = in->rank > axes + 1 ? in->strides[axes + 1] * width : 0;
    const size_t count = (size_t)(p.groups * images) * NUMBERS;
    argand_status status = storage_scratch(&result, argand_array_device(in), count * sizeof *numbers);
    if (status == ARGAND_OK) status = start(in, result, &p, p.groups * images);
    if (status == ARGAND_OK) status = NEW(numbers, count);
    if (status == ARGAND_OK) status = fetch(numbers, result, count);
    for (int64_t i = 0; i < images && status == ARGAND_OK; i++)
        ranges[i] = add_up(numbers + i * p.groups * NUMBERS, p.groups, (double)image.count);
    memory_free(numbers);
    storage_release(result);
    return status;
}

/* White noise of 9 at most, a result of few elements or of one plateau that stands on other results 4 times
 * at most: measured, docs/internals/conv.md. */
double conv_range_rounding(const conv_range *r, double shape)
{
    const double result = fmin(1.2 * r->brightest, r->norm * shape);
    return 9 * r->rms + 4 * result;
}

bool conv_range_is_high(const conv_range *r, double shape, double limit)
{
    return conv_range_rounding(r, shape) > limit * r->darkest;
}
