/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the kernels of ESPIRiT, filled by src/calib/espirit/device.c. Offsets count reals. */
#ifndef KERNELS_CALIB_PARAMS_H
#define KERNELS_CALIB_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#endif

/* Sums along y or z: row r of `count` reals, with number g = first + r, is the sum over `terms` rows of plane
 * g / n - plane, `stride` reals apart, times wave t of position g % n. A position has `waves` waves. A group
 * takes `chunk` reals. */
struct espirit_sum_params {
    INDEX first, n, terms, waves, count, stride, plane, plane_reals, chunk, chunks;
};
SAME_LAYOUT(espirit_sum_params, 80);

/* Rows and columns of a matrix's tile; most steps of Lanczos' method. */
#define ESPIRIT_TILE 4
#define ESPIRIT_MOST 40

/* Pixels [first, first + count) of an image with rows of n pixels and planes of `rows` rows; a group takes
 * `chunk` of them. Element e of pixel i is at pair e slots + i of scratch memory: the matrix in tiles, the
 * basis {padded coils, ESPIRIT_MOST + 1}, the maps {padded coils, sets}. */
struct espirit_params {
    INDEX first, count, chunk, slots, n, rows, pixels;
    INDEX coils, tiles, sets, matrix_terms, image_terms;
    INDEX row;     /* number of the first row whose sums are there */
    INDEX look[2]; /* rows that are a multiple of these plus half of them, in y and z, are tested; 0: none */
    INDEX at, values; /* offsets of the maps and of the eigenvalues */
    INDEX counters;   /* index of this launch's counters: maps kept; pixels with one eigenvalue above; two */
    struct kernel_scalar crop;   /* of the maps; of the test */
    struct kernel_scalar lowest; /* eigenvalue below which maps are 0, so that they need not be exact */
    int soft, has_values;
};
SAME_LAYOUT(espirit_params, 200);

#endif
