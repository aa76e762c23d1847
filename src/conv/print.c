/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a convolution plan: types, sizes, padding, passes, bytes; as a struct and as text. */
#include "conv/wide.h"

#include <argand/fft_info.h>
#include "base/plain.h"

/* Counts the passes of the transforms and the bytes that they read and write; 0: no transforms. */
static void count_passes(const argand_conv *c, int *passes, int64_t *moved)
{
    *passes = 0;
    *moved = 0;
    if (!c->fft) return;
    *passes = argand_fft_pass_count(c->fft, ARGAND_FORWARD);
    for (int i = 0; i < *passes; i++) {
        argand_fft_pass pass;
        if (argand_fft_pass_describe(c->fft, ARGAND_FORWARD, i, &pass) != ARGAND_OK) continue;
        *moved += pass.read_bytes + pass.write_bytes;
    }
}

static void add_tile(argand_conv_info *info, const argand_conv *c)
{
    argand_conv_info inner;
    argand_conv_describe(conv_tiles_inner(c, info->tile), &inner);
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
                               .method = c->engine->name,
                               .bytes = c->engine->bytes(c)};
    for (int d = 0; d < 3; d++) {
        info->n[d] = o->n[d];
        info->kernel[d] = o->kernel[d];
        info->centre[d] = o->centre[d];
        info->out[d] = c->axis[d].out;
        info->first[d] = c->axis[d].first;
        info->padded[d] = info->tile[d] = 0;
        if (c->engine == &conv_fft_engine) info->padded[d] = c->axis[d].points;
        if (!c->tiles) info->tile[d] = c->axis[d].out;
    }
    if (c->tiles) add_tile(info, c);
    count_passes(c, &info->passes, &info->moved);
}

void argand_conv_print(const argand_conv *c, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!c || !text || !size) return;
    const bool is_direct = c->engine == &conv_direct_engine;
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
    plain_print(text, size, "(conv %s %s channels %lld kernel %s %s%s%s%s%s%s)", argand_type_name(o->type),
                image, (long long)o->channels, kernel, c->engine->name, is_direct ? "" : " ",
                is_direct ? "" : points, c->extends ? " extended" : "", *plan ? " " : "", plan);
}
