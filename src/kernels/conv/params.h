/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of a convolution are given. Direct sums (filled by src/conv/direct_device.c): axis 0 is
 * the fastest. */
#ifndef KERNELS_CONV_PARAMS_H
#define KERNELS_CONV_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Strides: of the axes, then of channel and batch, in elements; scalars travel as the bits of a REAL. */
struct conv_sums_params {
    INDEX n[3], out[3]; /* elements of the image, results */
    INDEX first[3];     /* the element beneath result 0's first tap, as taps are stored */
    INDEX in_stride[5], out_stride[5];
    INDEX in, result; /* their first elements */
    INDEX across, down, channels;
    INDEX around[2];
    INDEX kernel_step;       /* from one channel's taps to the next one's, in reals; 0: all share them */
    int before[3], after[3]; /* rules of argand_border */
    int planes, pad;         /* of taps */
};
SAME_LAYOUT(conv_sums_params, 248);

/* What the kernel that reads an image's dynamic range is given; filled by src/conv/range.c. Each image
 * (one channel of one element of the batch) has `groups` groups; steps count reals. */
struct conv_range_params {
    struct kernel_layout at; /* of one image, operand 0 */
    INDEX groups, channels, channel_step, batch_step;
    int type; /* argand_type of the image */
    int pad;
};
SAME_LAYOUT(conv_range_params, 376);

#endif
