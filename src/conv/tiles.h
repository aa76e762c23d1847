/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of plans with a limit of memory: convolves an image tile by tile. */
#ifndef CONV_TILES_H
#define CONV_TILES_H

#include "conv/plan.h"

argand_status conv_tiles_make(argand_conv *c);
argand_status conv_tiles_kernel(argand_conv *c);
argand_status conv_tiles_blend(argand_conv *c);
/* Convolves an image; part: as in conv_apply. */
argand_status conv_tiles_apply(const argand_conv *c, argand_array *out, const argand_array *in,
                               const conv_part *part);
argand_status conv_tiles_apply_boxes(const argand_conv *c, argand_conv_write write, argand_conv_read read,
                                     void *context);
/* Returns the plan that convolves a tile; out: number of results of a tile. */
const argand_conv *conv_tiles_inner(const argand_conv *c, int64_t *out);
void conv_tiles_release(argand_conv *c);

#endif
