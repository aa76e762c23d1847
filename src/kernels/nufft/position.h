/* SPDX-License-Identifier: BSD-3-Clause */
/* Locates a point on the grid, in double precision. Kernels (locate.krn) and the host, which locates
 * points for devices without doubles (nufft/gpu/locate.c), compile the same text and so get the same
 * result. */
#ifndef KERNELS_NUFFT_POSITION_H
#define KERNELS_NUFFT_POSITION_H

#ifndef GPU
#include <math.h>
#include "kernels/nufft/params.h"
#define DEVICE static inline
#define PRIVATE
#define IN_PARAMS
#define UINT uint32_t
#include "kernels/nufft/tiles.krn"
#endif

/* A point's key (params.h), and its position between cells on each axis, -1 to 1. */
struct nufft_place {
    double u[3];
    INDEX key;
    int is_bad;    /* a coordinate is not finite */
    int is_folded; /* the point is taken at -k */
};

/* Returns the first cell that the window of a point at k touches, and sets *u to the point's position
 * between cells. k is split into an integer, whose grid position is exact, and a remainder of at most
 * half, so that large k lose no digits. */
DEVICE INDEX first_cell(double k, INDEX n, INDEX grid, int width, PRIVATE double *u)
{
    if (fabs(k) > 1073741824.0) k = fmod(k, (double)n);
    const double whole = rint(k), rest = k - whole;
    const INDEX product = (INDEX)whole * grid;
    INDEX cell = (INDEX)(whole * (double)grid / (double)n), over = product - cell * n;
    while (over < 0) {
        cell--;
        over += n;
    }
    while (over >= n) {
        cell++;
        over -= n;
    }
    const double offset = ((double)over + rest * (double)grid) / (double)n - 0.5 * width, up = ceil(offset);
    const double between = 2 * (up - offset) - 1;
    *u = between < 1 ? between : 1;
    cell = (cell + (INDEX)up) % grid;
    return cell < 0 ? cell + grid : cell;
}

/* Returns the plane of an integer k; the host has checked that k is one. */
DEVICE INDEX plane_of(double k, INDEX n)
{
    const INDEX plane = (INDEX)rint(k) % n;
    return plane < 0 ? plane + n : plane;
}

/* Returns true if a point must be taken at -k: its window begins beyond the middle of the row and before
 * the margin in front of it. The limit is one cell beyond the middle, so that rounding cannot put both k
 * and -k beyond it. */
DEVICE int is_beyond(double kx, int width, IN_PARAMS const struct nufft_params *p)
{
    double between;
    const INDEX cell = first_cell(kx, p->n[0], p->full, width, &between) + (width + 1) / 2;
    return (cell < p->full ? cell : cell - p->full) > p->full / 2 + 1;
}

/* Returns the first cell on half a grid; cells before 0 are at the row's end. */
DEVICE INDEX first_cell_of_half(double kx, int width, PRIVATE double *u,
                                IN_PARAMS const struct nufft_params *p)
{
    const INDEX cell = first_cell(kx, p->n[0], p->full, width, u);
    return cell < p->full - (width + 1) / 2 ? cell : cell - p->full + p->grid[0];
}

/* Locates a point at k cycles per field of view, for a window of this rank and width. Coordinates of k
 * beyond the rank are used only if the grid is made of planes. */
DEVICE struct nufft_place place_of_point(PRIVATE const double k[3], int rank, int width,
                                         IN_PARAMS const struct nufft_params *p)
{
    const int shift[3] = {NUFFT_TILE_X, NUFFT_TILE_Y(rank), NUFFT_TILE_Z(rank)};
    struct nufft_place place = {{0, 0, 0}, 0, 0, 0};
    INDEX tile = 0, inside = 0;
    if (p->full) place.is_folded = isfinite(k[0]) && is_beyond(k[0], width, p);
    if (rank == 2 && p->tiles[2] > 1) tile = plane_of(place.is_folded ? -k[2] : k[2], p->n[2]);
    for (int axis = rank - 1; axis >= 0; axis--) {
        double at = k[axis];
        if (!isfinite(at)) {
            place.is_bad = 1;
            at = 0;
        }
        if (place.is_folded) at = -at;
        const INDEX cell = axis == 0 && p->full
                               ? first_cell_of_half(at, width, &place.u[axis], p)
                               : first_cell(at, p->n[axis], p->grid[axis], width, &place.u[axis]);
        const INDEX t = axis > 0 ? cell >> shift[axis] : tile_of_cell(cell, p);
        const INDEX start = axis > 0 ? t << shift[axis] : tile_start(t, p);
        tile = tile * p->tiles[axis] + t;
        inside = (inside << shift[axis]) + (cell - start);
    }
    place.key = (tile << (shift[0] + shift[1] + shift[2])) + inside;
    return place;
}

#endif
