/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a point lies on the grid, in doubles: read by kernels (locate.krn), and by the host for devices
 * without doubles (nufft/gpu/locate.c), so that both find the same. */
#ifndef KERNELS_NUFFT_POSITION_H
#define KERNELS_NUFFT_POSITION_H

#ifndef GPU
#include <math.h>
#include "kernels/nufft/params.h"
#define DEVICE static inline
#define UINT uint32_t
#define IN_PLANES_OF(rank, p) ((rank) == 2 && (p)->tiles[2] > 1)
#endif

/* The first cell that the window of a point at k touches, and the point's place between cells, -1 to 1. k
 * splits into an integer, whose place on the grid is computed exactly, and a rest of at most half, so that no
 * digits are lost to large k. */
