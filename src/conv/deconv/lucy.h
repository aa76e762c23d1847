/* SPDX-License-Identifier: BSD-3-Clause */
/* What Richardson and Lucy's iteration holds. */
#ifndef CONV_LUCY_H
#define CONV_LUCY_H

#include "conv/deconv/deconv.h"

typedef struct lucy_tiles lucy_tiles;

struct lucy {
    int64_t n[3], estimate[3]; /* elements of the image and of x */
    argand_array *weights;     /* 1 / w */
    /* all at once */
    argand_fft *there, *back, *kernel;
    argand_array *spectrum;
    argand_fft_access there_access, back_access;
    char texts[2][LUCY_TEXT];
    int64_t points[3];
    /* within a limit of memory */
    lucy_tiles *tiles;
};

/* lucy.c: x as it begins, and the largest element of y. */
argand_status lucy_begin(argand_array *x, const argand_array *y, double background, double *largest);
argand_status lucy_invert_weights(argand_array *weights);
argand_status lucy_store(const argand_deconv *d, argand_array *out, const argand_array *x);
/* {n..., channels} of the plan's type. */
argand_status lucy_array(argand_array **array, const argand_deconv *d, argand_device *device,
                         const int64_t *n, bool scratch);

/* lucy_tiles.c: both convolutions tile by tile, everything else on the host. */
argand_status lucy_tiles_make(argand_deconv *d);
argand_status lucy_tiles_kernel(argand_deconv *d, const argand_array *kernel);
argand_status lucy_tiles_image(const argand_deconv *d, argand_array *out, const argand_array *in);
void lucy_tiles_release(lucy_tiles *tiles);

#endif
