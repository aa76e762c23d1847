/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan for convolution or deconvolution, applied to pictures and arrays. */
#ifndef CLI_CONVOLVE_ENGINE_H
#define CLI_CONVOLVE_ENGINE_H

#include "common/report.h"

typedef struct filter_engine { /* holds one of the two */
    argand_conv *conv;
    argand_deconv *deconv;
    argand_conv_options options;
} filter_engine;

/* Creates the plan. deconv: how the convolution by `options` is inverted; NULL: convolves. */
argand_status engine_open(filter_engine *engine, argand_device *device, const argand_conv_options *options,
                          const argand_deconv_options *deconv);
argand_status engine_set_kernel(filter_engine *engine, const argand_array *kernel, double sharpness);
argand_status engine_apply(const filter_engine *engine, argand_array *out, const argand_array *in);
/* Applies the plan. Elements outside first to first + count - 1 along an axis are border. */
argand_status engine_apply_part(const filter_engine *engine, argand_array *out, const argand_array *in,
                                const int64_t first[3], const int64_t count[3]);
/* Returns the number of images so far whose dynamic range exceeded the plan's precision. */
int64_t engine_wide(const filter_engine *engine);
/* Describes the plan. For deconvolution the result is as large as the image, and the padding is not
 * reported. */
void engine_describe(const filter_engine *engine, argand_conv_info *info);
void engine_print(const filter_engine *engine, char *text, size_t size);   /* one line */
void engine_explain(const filter_engine *engine, char *text, size_t size); /* several lines */
void engine_close(filter_engine *engine);

#endif
