/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan that convolves, or one that undoes it: what pictures and arrays are put through. */
#ifndef CLI_CONVOLVE_ENGINE_H
#define CLI_CONVOLVE_ENGINE_H

#include "common/report.h"

typedef struct filter_engine { /* one of them */
    argand_conv *conv;
    argand_deconv *deconv;
    argand_conv_options options;
} filter_engine;

/* deconv: how a convolution by `options` is undone; NULL: it is done. */
argand_status engine_open(filter_engine *engine, argand_device *device, const argand_conv_options *options,
                          const argand_deconv_options *deconv);
argand_status engine_set_kernel(filter_engine *engine, const argand_array *kernel, double sharpness);
argand_status engine_apply(const filter_engine *engine, argand_array *out, const argand_array *in);
/* Elements outside of first to first + count - 1 of each axis are a border. */
argand_status engine_apply_part(const filter_engine *engine, argand_array *out, const argand_array *in,
                                const int64_t first[3], const int64_t count[3]);
/* Returns how many images so far had a dynamic range beyond the plan's precision. */
int64_t engine_wide(const filter_engine *engine);
/* As large as the image where a convolution is undone, whose padding is not told. */
void engine_describe(const filter_engine *engine, argand_conv_info *info);
void engine_print(const filter_engine *engine, char *text, size_t size);   /* one line */
void engine_explain(const filter_engine *engine, char *text, size_t size); /* several */
void engine_close(filter_engine *engine);

#endif
