/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of fft_general.krn; filled by src/fft/gpu/general.c. */
#ifndef KERNELS_GENERAL_PARAMS_H
#define KERNELS_GENERAL_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Lines of n points with a stride of `inner`: element i of line l stands at
 * (l / inner * count + i) * inner + l % inner, where count is in_count or out_count. */
struct fft_general_params {
    INDEX n, in_count, out_count; /* points of a line; those that are stored, fewer for half of a spectrum */
    INDEX inner;
    INDEX count, chunk;            /* elements of the output, and those of a group */
    INDEX radix, done, rest;       /* n = radix * done * rest */
    INDEX load_shift, store_shift; /* of a centred line: point i is loaded from (i + load_shift) mod n */
    INDEX coarse;                  /* place of the second table of roots, in reals; 0: there is none */
    INDEX in, out;                 /* offsets, in reals */
    struct kernel_scalar factor;
    int shift;       /* the first table has 2^shift roots */
    int sign;        /* of the exponent */
    int load, store; /* 1: reals */
};
SAME_LAYOUT(fft_general_params, 152);

#define FFT_GENERAL_COMPLEX 0
#define FFT_GENERAL_REAL 1

#endif
