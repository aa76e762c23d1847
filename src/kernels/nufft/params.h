/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of the NUFFT: numbering of points and cells, and the arguments of a launch.
 *
 * The oversampled grid is divided into tiles of up to TILE_X cells along x (sizes differ by one cell at
 * most), TILE_Y along y and TILE_Z along z. A point belongs to the first cell that its window touches. The
 * number of that cell is the point's key: it counts tile by tile, and inside a tile x fastest, then y,
 * then z. Points are sorted by key; points of equal key keep the caller's order. A row is a tile's cells
 * along x, and its number is the upper part of the key. rows[2 r] is the first point of row r. rows[2 r +
 * 1] is its first point whose window reaches LEFT tiles farther, the farthest that a window can reach.
 *
 * For real images half of the grid is stored: of each row the cells from 0 to the middle, and margins
 * that make it periodic (margins.krn). Points whose window begins elsewhere are taken at -k. */
#ifndef KERNELS_NUFFT_PARAMS_H
#define KERNELS_NUFFT_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#else
/* Round of a group, and its index in the round. The groups with the same index are consecutive. */
#define ROUND_OF(p) ((INDEX)((UINT)GROUP_ID % (UINT)(p).rounds))
#define PLACE_OF(p) ((INDEX)((UINT)GROUP_ID / (UINT)(p).rounds))
#endif

/* Log2 of the tile sizes, by rank. */
#define NUFFT_TILE_X 3
#define NUFFT_TILE_Y(rank) ((rank) == 1 ? 0 : (rank) == 2 ? 4 : 3)
#define NUFFT_TILE_Z(rank) ((rank) == 3 ? 3 : 0)

#define NUFFT_DIGITS 256        /* maximum number of values of the digit in one pass of the sort */
#define NUFFT_SORTED 8          /* points of an item in such a pass */
#define NUFFT_PARTS 4096        /* maximum number of parts of crowded blocks */
#define NUFFT_FOLDED (1u << 31) /* flag in an order's element: taken at -k, the sample conjugate */
#define NUFFT_PLACE(number) ((number) & ~NUFFT_FOLDED)
#define NUFFT_SIGN(number) ((number)&NUFFT_FOLDED ? -1 : 1) /* sign of the sample's imaginary part */
#define NUFFT_EXTENTS 64 /* groups that search a vector for its largest sample */

struct nufft_params {
    INDEX n[3], grid[3], tiles[3]; /* pixels, cells, tiles; 1 beyond the rank */
    INDEX full;                    /* half a grid (margins.krn): cells of a whole row; otherwise 0 */
    INDEX blocks[3];               /* blocks along each axis for spreading */
    INDEX k[3];                    /* offsets of the caller's coordinates */
    INDEX scale[3];                /* factors from coordinates to cycles/FOV: bits of doubles */
    INDEX points;
    INDEX count;           /* items of the launch: digits of all groups, rows, or blocks */
    INDEX samples, stride; /* the caller's samples: offset and stride, in reals */
    INDEX vector_stride;   /* stride between vectors, in reals */
    int vectors;           /* vectors of this launch; fastest index of cells and sorted samples */
    int shift;             /* bits to the right of the digit */
    INDEX layer, ring;     /* padded tiles: first layer of the launch, and number of layers in the ring */
    int lane;              /* vector in padded tiles */
    int rounds;            /* number of rounds of `vectors` vectors, each with its own grid */
};
SAME_LAYOUT(nufft_params, 224);

#ifdef GPU
DEVICE INDEX cells_of(IN_PARAMS const struct nufft_params *p)
{
    return p->grid[0] * p->grid[1] * p->grid[2];
}
#endif

/* One pass of the sort. */
struct nufft_sort_params {
    INDEX points, groups; /* a group has as many points as its items sort */
    int shift, mask;      /* of the digit */
};
SAME_LAYOUT(nufft_sort_params, 24);

/* Copy of a grid between the caller's contiguous array and an array that is circularly shifted by `shift`
 * on each axis and has its own strides. */
struct nufft_move_params {
    INDEX size[3], shift[3];
    INDEX cells, caller;              /* cells of one vector; offset of the caller's array */
    INDEX cell_stride, vector_stride; /* strides of the other array, in elements */
    int vectors, to_caller;
};
SAME_LAYOUT(nufft_move_params, 88);

#endif
