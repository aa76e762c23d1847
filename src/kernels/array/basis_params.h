/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the kernels of a basis, whose arrays are contiguous; filled by src/array/basis.c. Offsets
 * are in reals, `width` of which (1 real, 2 complex) make an element. */
#ifndef KERNELS_BASIS_PARAMS_H
#define KERNELS_BASIS_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* `vectors` contiguous vectors of `count` elements each, and one array of that size. A group takes `chunk`
 * elements; `chunks` groups cover all of them. */
struct basis_params {
    INDEX count, vectors, chunk, chunks;
    INDEX basis, x; /* offsets */
    INDEX number;   /* index of the first of the scalars on the device */
    int width;
    int reals; /* 1: only the real parts of inner products are needed */
};
SAME_LAYOUT(basis_params, 64);

#endif
