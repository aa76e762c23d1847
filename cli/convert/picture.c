/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the pictures of `argand convert`: a montage of an image's slices, or several images side by side,
 * slice by slice. */
#include "convert/convert.h"
#include "files/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static argand_status check_shapes(const convert_image *images, int count)
{
    const convert_image *a = &images[0];
    char first[256], other[256];
    for (int i = 1; i < count; i++)
        for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
            if (argand_array_dim(images[i].array, axis) != argand_array_dim(a->array, axis))
                return report_error(
                    ARGAND_ARGUMENT,
                    "%s and %s: side by side they must have the same shape; they have %s and %s%s", a->name,
                    images[i].name, shape_of_array(first, sizeof first, a->name, a->array),
                    shape_of_array(other, sizeof other, images[i].name, images[i].array),
                    shape_orders_differ(a->name, images[i].name));
    return ARGAND_OK;
}

/* Copies image i of `count` into {nx, ny, count, slices...}. */
static argand_status put(argand_array *all, const argand_array *image, int i, int count)
{
    const int rank = argand_array_rank(image) > 2 ? argand_array_rank(image) : 2;
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK], stride = 1;
    for (int axis = 0; axis < rank; axis++) {
        if (axis == 2) stride *= count;
        dims[axis] = argand_array_dim(image, axis);
        strides[axis] = stride;
        stride *= dims[axis];
    }
    argand_array *place;
    argand_status status =
        argand_array_view(&place, all, argand_array_rank(image), dims, strides, i * dims[0] * dims[1]);
    if (status != ARGAND_OK) return status;
    status = argand_array_copy(place, image);
    argand_array_destroy(place);
    return status;
}

/* Joins images slice by slice: {nx, ny, images, slices}. */
static argand_status join(argand_array **all, const convert_image *images, int count)
{
    const argand_array *first = images[0].array;
    const int64_t nx = argand_array_dim(first, 0), ny = argand_array_dim(first, 1);
    const int64_t dims[4] = {nx, ny, count, argand_array_count(first) / (nx * ny)};
    argand_status status = check_shapes(images, count);
    if (status == ARGAND_OK)
        status = argand_array_create(all, argand_array_device(first), ARGAND_R32, 4, dims);
    for (int i = 0; i < count && status == ARGAND_OK; i++) status = put(*all, images[i].array, i, count);
    return status;
}

/* Returns the number of columns, in groups of images, that makes the picture about square. */
static int choose_columns(const argand_array *all)
{
    const double width = (double)(argand_array_dim(all, 0) * argand_array_dim(all, 2));
    const double groups = sqrt((double)(argand_array_dim(all, 3) * argand_array_dim(all, 1)) / width);
    return (int)argand_array_dim(all, 2) * (groups < 1 ? 1 : (int)lround(groups));
}

/* Splits the captions "plain|corrected". */
static int split_captions(char *text, const char **captions)
{
    int count = 0;
    for (char *at = text; at && count < CONVERT_INPUTS; count++) {
        captions[count] = at;
        at = strchr(at, '|');
        if (at) *at++ = 0;
    }
    return count;
}

/* Removes dimensions of 1 before an image's two sides. */
static argand_status squeeze(convert_image *image)
{
    int64_t dims[ARGAND_MAX_RANK];
    int rank = 0, sides = 0;
    for (int d = 0; d < argand_array_rank(image->array); d++) {
        const int64_t dim = argand_array_dim(image->array, d);
        if (dim > 1) sides++;
        if (dim > 1 || sides >= 2) dims[rank++] = dim;
    }
    argand_array *squeezed;
    if (sides < 2) return ARGAND_OK;
    TRY(argand_array_reshape(&squeezed, image->array, rank, dims));
    argand_array_destroy(image->array);
    image->array = squeezed;
    return ARGAND_OK;
}

argand_status convert_picture(convert_image *images, const convert_settings *s)
{
    char text[1024] = "";
    const char *captions[CONVERT_INPUTS];
    argand_montage_options options = {.low = s->low,
                                      .high = s->high,
                                      .columns = s->columns,
                                      .zoom = s->zoom,
                                      .nearest = s->nearest,
                                      .captions = captions};
    if (s->captions) {
        snprintf(text, sizeof text, "%s", s->captions);
        options.caption_count = split_captions(text, captions);
    }
    if (s->phase && s->low == 0 && s->high == 0) {
        options.low = -PI;
        options.high = PI;
    }
    if (s->input_count == 1) return argand_montage_write(s->output, images[0].array, &options);
    argand_array *all = NULL;
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->input_count && status == ARGAND_OK; i++) status = squeeze(&images[i]);
    if (status == ARGAND_OK) status = join(&all, images, s->input_count);
    if (status == ARGAND_OK && !options.columns) options.columns = choose_columns(all);
    if (status == ARGAND_OK) status = argand_montage_write(s->output, all, &options);
    argand_array_destroy(all);
    return status;
}
