/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the kernels of a convolution. Direct sums: filled by src/conv/direct_device.c; axis 0 is
 * the fastest. */
#ifndef KERNELS_CONV_PARAMS_H
#define KERNELS_CONV_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Direct sums. Strides of the axes, then of channel and batch, in elements; scalars are stored as the bits
 * of a REAL. */
struct conv_sums_params {
    INDEX n[3], out[3]; /* sizes of the image and of the result */
    INDEX first[3];     /* element under the first tap of result 0, in the taps' storage order */
    INDEX in_stride[5], out_stride[5];
    INDEX in, result; /* offsets of image and result */
    INDEX across, down, channels;
    INDEX around[2];
    INDEX kernel_step;       /* stride between the taps of channels, in reals; 0: all share them */
    int before[3], after[3]; /* border rules (argand_border) */
    int planes, pad;         /* planes: of taps */
};
SAME_LAYOUT(conv_sums_params, 248);

/* Dynamic range of images; filled by src/conv/range.c. Each image (one channel of one element of the
 * batch) has `groups` groups; steps count reals. */
struct conv_range_params {
    struct kernel_layout at; /* layout of one image, operand 0 */
    INDEX groups, channels, channel_step, batch_step;
    int type; /* argand_type of the image */
    int pad;
};
SAME_LAYOUT(conv_range_params, 376);

#endif
