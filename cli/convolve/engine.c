/* SPDX-License-Identifier: BSD-3-Clause */
#include "convolve/engine.h"

#include <string.h>

argand_status engine_open(filter_engine *e, argand_device *device, const argand_conv_options *options,
                          const argand_deconv_options *deconv)
{
    *e = (filter_engine){.options = *options};
    if (!deconv) return argand_conv_create(&e->conv, device, options);
    argand_deconv_options o = *deconv;
    o.conv = *options;
    return argand_deconv_create(&e->deconv, device, &o);
}

argand_status engine_set_kernel(filter_engine *e, const argand_array *kernel, double sharpness)
{
    if (e->deconv) return argand_deconv_set_kernel(e->deconv, kernel);
    TRY(argand_conv_set_kernel(e->conv, kernel));
    return argand_conv_set_sharpness(e->conv, sharpness);
}

argand_status engine_apply(const filter_engine *e, argand_array *out, const argand_array *in)
{
    return e->deconv ? argand_deconv_apply(e->deconv, out, in) : argand_conv_apply(e->conv, out, in);
}

argand_status engine_apply_part(const filter_engine *e, argand_array *out, const argand_array *in,
                                const int64_t first[3], const int64_t count[3])
{
    return e->deconv ? argand_deconv_apply(e->deconv, out, in)
                     : argand_conv_apply_part(e->conv, out, in, first, count);
}

int64_t engine_wide(const filter_engine *e)
{
    argand_conv_info info = {0};
    if (e->conv) argand_conv_describe(e->conv, &info);
    return info.wide;
}

void engine_describe(const filter_engine *e, argand_conv_info *info)
{
    if (e->conv) {
        argand_conv_describe(e->conv, info);
        return;
    }
    *info = (argand_conv_info){.method = "deconvolution"};
    memcpy(info->n, e->options.n, sizeof info->n);
    memcpy(info->out, e->options.n, sizeof info->out);
}

void engine_print(const filter_engine *e, char *text, size_t size)
{
    if (e->conv)
        argand_conv_print(e->conv, text, size);
    else
        argand_deconv_print(e->deconv, text, size);
}

void engine_explain(const filter_engine *e, char *text, size_t size)
{
    if (e->conv)
        argand_conv_explain(e->conv, text, size);
    else
        argand_deconv_print(e->deconv, text, size);
}

void engine_close(filter_engine *e)
{
    argand_conv_destroy(e->conv);
    argand_deconv_destroy(e->deconv);
    *e = (filter_engine){0};
}
