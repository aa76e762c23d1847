/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of the Richardson-Lucy iteration. */
#ifndef CONV_LUCY_H
#define CONV_LUCY_H

#include "conv/deconv/deconv.h"

typedef struct lucy_tiles lucy_tiles;

struct lucy {
    int64_t n[3], estimate[3]; /* elements of the image and of x */
    argand_array *weights;     /* 1 / w */
    /* used if the whole image is transformed at once */
    argand_fft *forward, *adjoint, *kernel; /* x to y; y to x; taps to spectrum */
    argand_array *spectrum;
    argand_fft_access forward_access, adjoint_access;
    char texts[2][LUCY_TEXT];
    int64_t points[3];
    /* used with a limit of memory */
    lucy_tiles *tiles;
};

/* lucy_arrays.c: fills x with its start value, the mean of the image, and finds the largest element of y. */
argand_status lucy_begin(argand_array *x, const argand_array *y, double background, double *largest);
/* Replaces w by 1 / w, and by 0 where w is too small to determine x. */
argand_status lucy_invert_weights(argand_array *weights);
/* Copies the part of x that lies inside the image to out. */
argand_status lucy_store(const argand_deconv *d, argand_array *out, const argand_array *x);
/* Create an array {n..., channels}, of the plan's type and channels if none are given. */
argand_status lucy_array_of(argand_array **array, const argand_deconv *d, argand_device *device,
                            argand_type type, const int64_t *n, int64_t channels, bool scratch);
argand_status lucy_array(argand_array **array, const argand_deconv *d, argand_device *device,
                         const int64_t *n, bool scratch);

/* lucy_tiles.c: the same iteration with convolutions tile by tile and arrays on the host. */
argand_status lucy_tiles_make(argand_deconv *d);
argand_status lucy_tiles_kernel(argand_deconv *d, const argand_array *kernel);
argand_status lucy_tiles_image(const argand_deconv *d, argand_array *out, const argand_array *in);
void lucy_tiles_release(lucy_tiles *tiles);

#endif
