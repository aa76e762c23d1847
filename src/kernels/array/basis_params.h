/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of a basis read besides the arrays, which are contiguous; filled by src/array/basis.c.
 * Offsets are in reals, `width` of which (1 real, 2 complex) make an element. */
#ifndef KERNELS_BASIS_PARAMS_H
#define KERNELS_BASIS_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* `vectors` of them, `count` elements each, one behind the other, and one array of that size. Groups take
 * `chunk` elements, `chunks` groups go over all of them. */
struct basis_params {
    INDEX count, vectors, chunk, chunks;
    INDEX basis, x; /* offsets */
    INDEX number;   /* which of the scalars on the device, the first of several */
    int width;
    int reals; /* of inner products the real part counts alone */
};
SAME_LAYOUT(basis_params, 64);

#endif
