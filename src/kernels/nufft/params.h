/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT's kernels: how points and cells are numbered, and what a launch is given.
 *
 * The oversampled grid is cut into tiles of up to TILE_X cells along x (equally: some have one cell less than
 * others), TILE_Y along y and TILE_Z along z. A point belongs to the first cell that its window touches; that
 * cell's number, its key, counts tile by tile and within a tile x fastest, then y, then z. Points are sorted
 * by key, and those of one key by the caller's order. A row is a tile's cells along x: its number is the
 * key's upper part. rows[2 r] says where row r's points begin, rows[2 r + 1] where those of them begin that
 * reach a tile LEFT tiles farther, the farthest that a window can reach.
 *
 * Of real images half of the grid is there: of each row the cells 0 to the middle, and margins that make it
 * periodic again (margins.krn). Points whose window begins elsewhere are taken at -k. */
#ifndef KERNELS_NUFFT_PARAMS_H
#define KERNELS_NUFFT_PARAMS_H

#ifndef GPU
#include "kernels/params.h"
#else
/* Which of the rounds a group belongs to, and its number among those of the round: groups of one place
 * follow each other. */
#define ROUND_OF(p) ((INDEX)((UINT)GROUP_ID % (UINT)(p).rounds))
#define PLACE_OF(p) ((INDEX)((UINT)GROUP_ID / (UINT)(p).rounds))
#endif

/* As shifts; by rank */
#define NUFFT_TILE_X 3
#define NUFFT_TILE_Y(rank) ((rank) == 1 ? 0 : (rank) == 2 ? 4 : 3)
#define NUFFT_TILE_Z(rank) ((rank) == 3 ? 3 : 0)

#define NUFFT_DIGITS 256        /* values of the digit by which a pass sorts, at most */
#define NUFFT_SORTED 8          /* points of an item in such a pass */
#define NUFFT_PARTS 4096        /* most parts of crowded blocks */
#define NUFFT_FOLDED (1u << 31) /* of an order's number: the point is taken at -k, its sample conjugate */
#define NUFFT_PLACE(number) ((number) & ~NUFFT_FOLDED)
#define NUFFT_SIGN(number) ((number)&NUFFT_FOLDED ? -1 : 1) /* of the sample's imaginary part */
#define NUFFT_EXTENTS 64 /* shares of a vector's samples whose largest number is looked for */

struct nufft_params {
    INDEX n[3], grid[3], tiles[3]; /* pixels, cells, tiles; 1 beyond the rank */
    INDEX full;                    /* of half a grid (margins.krn): cells of a whole row; else 0 */
    INDEX blocks[3];               /* into which spreading cuts the grid, as its key says */
    INDEX k[3];                    /* offsets of the caller's positions */
    INDEX scale[3];                /* of positions to cycles/FOV: doubles, bit for bit */
    INDEX points;
    INDEX count;           /* what the launch is about: digits of all groups, rows, blocks */
    INDEX samples, stride; /* of the caller, in reals: the first vector's first; from one to the next */
    INDEX vector_stride;   /* and from one vector to the next */
    int vectors;           /* of this launch, side by side in cells and sorted samples */
    int shift;             /* of the digit */
    INDEX layer, ring;     /* of padded tiles: the launch's first, and how many layers are kept */
    int lane;              /* the vector that padded tiles have */
    int rounds;            /* as many times `vectors`, each on a grid of its own */
};
SAME_LAYOUT(nufft_params, 224);

#ifdef GPU
DEVICE INDEX cells_of(const struct nufft_params *p)
{
    return p->grid[0] * p->grid[1] * p->grid[2];
}
#endif

/* One pass of the sort */
struct nufft_sort_params {
    INDEX points, groups; /* a group has as many points as its items sort */
    int shift, mask;      /* of the digit */
};
SAME_LAYOUT(nufft_sort_params, 24);

/* Numbers on a grid, between the caller's array, which is contiguous, and one that begins `shift` farther on
 * each axis, circularly, and has its own strides. */
struct nufft_move_params {
    INDEX size[3], shift[3];
    INDEX cells, caller;              /* in all, of one vector; the caller's offset */
    INDEX cell_stride, vector_stride; /* of the other one, in numbers */
    int vectors, to_caller;
};
SAME_LAYOUT(nufft_move_params, 88);

#endif
