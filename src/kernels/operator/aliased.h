/* SPDX-License-Identifier: BSD-3-Clause */
/* Images whose pixels alias along axis 1. Image i gets contributions of `pairs`: an image i', and a shift s
 * of its pixels in a circle, so that pixel p of i meets pixel p - s of i', modulo the number of pixels. The
 * table has, for each image, its first pair; their number; then i' and s of each pair. A pair has a complex
 * product M for each pixel: blocks of ALIASED_BLOCK pixels follow each other, each with all pairs of its
 * image. */
#ifndef KERNELS_ALIASED_H
#define KERNELS_ALIASED_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Pixels whose products are together; pixels of one item: on a CPU as many as fill its vector registers. */
#define ALIASED_BLOCK 32
#ifdef GPU
#define ALIASED_RUN 1
#else
#define ALIASED_RUN ALIASED_BLOCK
#endif

/* Offsets count reals. `out` and `in` are those of the images, or of the maps of i and i'. */
struct aliased_params {
    INDEX pixels, images, chunk, chunks;
    INDEX out, in;
    INDEX coils, image, pair, count, together; /* aliased_products: pairs of `image`, `together` in a group */
};
SAME_LAYOUT(aliased_params, 88);

#ifdef KERNEL
/* Returns the place of the product of a pair (from 0) for a pixel, among those of an image. */
DEVICE INDEX aliased_place(IN_PARAMS const struct aliased_params *p, INDEX from, INDEX pairs, INDEX pair,
                           INDEX pixel)
{
    const INDEX blocks = (p->pixels + ALIASED_BLOCK - 1) / ALIASED_BLOCK, block = pixel / ALIASED_BLOCK;
    return (from * blocks + block * pairs + pair) * ALIASED_BLOCK + pixel % ALIASED_BLOCK;
}
#endif

#endif
