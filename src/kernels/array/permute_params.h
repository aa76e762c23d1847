/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of permute.krn; filled by src/dist/nufft/routing.c. Offsets are in reals. */
#ifndef KERNELS_PERMUTE_PARAMS_H
#define KERNELS_PERMUTE_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* `vectors` contiguous vectors of `count` complex numbers; a group takes `chunk` numbers of all of them. */
struct permute_params {
    INDEX count, vectors, chunk;
    INDEX out, in; /* offsets */
    INDEX back;    /* 1: y[order[i]] = x[i] in place of y[i] = x[order[i]] */
};
SAME_LAYOUT(permute_params, 48);

#endif
