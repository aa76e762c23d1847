/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops over points, compiled for each precision and instruction set: between samples and padded tiles.
 */
#ifndef NUFFT_CPU_KERNELS_H
#define NUFFT_CPU_KERNELS_H

#include <stdint.h>
#include "base/cpu.h"

/* Points of one task, and where their samples and their tile lie. */
typedef struct chunk {
    int rank, width, terms, taps;
    const void *coefficients;
    int64_t row, plane; /* of the padded tile, in cells */
    int64_t count;
    const int32_t *cell;
    const void *u[3];
    const uint32_t *order;
    const uint8_t *folded; /* 1: of the sample the conjugate is meant; NULL: of none */
    void *samples;         /* complex; read by spread, written by interpolate */
    int64_t stride;
    const int64_t *vectors; /* of each vector: where its samples begin, in elements */
    int vector_count;
    void *tile;
} chunk;

typedef void chunk_kernel(const chunk *c);

/* One vector: cells are complex numbers, SIMD runs along a row of the window. */
CPU_DECLARE(void, nufft_spread_one, const chunk *c);
CPU_DECLARE(void, nufft_interpolate_one, const chunk *c);
/* Up to 64 bytes of vectors: SIMD runs over the vectors of a cell. */
CPU_DECLARE(void, nufft_spread_many, const chunk *c);
CPU_DECLARE(void, nufft_interpolate_many, const chunk *c);

#endif
