/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a convolution plan: types, sizes, padding, passes, bytes; as a struct and as text. */
#include "conv/tiles.h"
#include "conv/wide.h"

#include "base/plain.h"

static size_t bytes_of(const argand_array *array)
{
    return array ? (size_t)argand_array_count(array) * argand_type_size(array->type) : 0;
}

static void add_tile(argand_conv_info *info, const argand_conv *c)
{
    argand_conv_info inner;
    argand_conv_describe(conv_tiles_inner(c, info->tile), &inner);
    info->bytes = inner.bytes;
    info->wide = inner.wide;
    for (int d = 0; d < 3; d++) info->padded[d] = inner.padded[d];
}

void argand_conv_describe(const argand_conv *c, argand_conv_info *info)
{
    if (info) *info = (argand_conv_info){0};
    if (!c || !info) return;
    const argand_conv_options *o = &c->options;
    *info = (argand_conv_info){.type = o->type,
                               .in_type = o->in_type,
                               .out_type = o->out_type,
                               .rank = o->rank,
                               .channels = o->channels,
                               .kernel_channels = o->kernel_channels,
                               .batch = o->batch,
                               .wide = conv_wide_calls(c),
                               .method = c->tiles       ? "tiles"
                                         : c->is_direct ? "direct"
                                                        : "fft",
                               .bytes = c->tiles       ? 0
                                        : c->is_direct ? conv_direct_bytes(c)
                                                       : bytes_of(c->spectrum) + bytes_of(c->unblended)};
    for (int d = 0; d < 3; d++) {
        info->n[d] = o->n[d];
        info->kernel[d] = o->kernel[d];
        info->centre[d] = o->centre[d];
        info->out[d] = c->axis[d].out;
        info->first[d] = c->axis[d].first;
        info->padded[d] = info->tile[d] = 0;
        if (!c->is_direct && !c->tiles) info->padded[d] = c->axis[d].points;
        if (!c->tiles) info->tile[d] = c->axis[d].out;
    }
    if (c->tiles) add_tile(info, c);
    conv_passes(c, &info->passes, &info->moved);
}

void argand_conv_print(const argand_conv *c, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!c || !text || !size) return;
    char image[64], kernel[64], points[64], plan[256] = "";
    const argand_conv_options *o = &c->options;
    int64_t padded[3];
    for (int d = 0; d < 3; d++) padded[d] = c->axis[d].points;
    dims_print(image, sizeof image, o->rank, o->n);
    dims_print(kernel, sizeof kernel, o->rank, o->kernel);
    dims_print(points, sizeof points, o->rank, padded);
    if (c->tiles) {
        argand_conv_print(conv_tiles_inner(c, padded), plan, sizeof plan);
        dims_print(points, sizeof points, o->rank, padded);
    }
    if (c->fft) argand_fft_print(c->fft, plan, sizeof plan);
    plain_print(text, size, "(conv %s %s channels %lld kernel %s %s%s%s%s%s)", argand_type_name(o->type),
                image, (long long)o->channels, kernel,
                c->tiles       ? "tiles "
                : c->is_direct ? "direct"
                               : "fft ",
                c->is_direct ? "" : points, c->extends ? " extended" : "", *plan ? " " : "", plan);
}
