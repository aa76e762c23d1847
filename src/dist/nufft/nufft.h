/* SPDX-License-Identifier: BSD-3-Clause */
/* NUFFTs whose image and points are divided over ranks. The oversampled grid lies in slabs across the axis
 * before the last (y in volumes), with ghost planes for the windows that reach beyond; a point belongs to the
 * rank that owns the plane below it.
 *
 *   image in slabs of z -> padded FFT (padded.h) -> grid in slabs of y -> ghosts filled (halo.h)
 *   -> interpolated by an ordinary plan for the slab (nufft/slab.h) -> samples to those who gave the points
 *
 * The adjoint goes the other way with the same numbers. */
#ifndef DIST_NUFFT_NUFFT_H
#define DIST_NUFFT_NUFFT_H

#include <argand/dist_nufft.h>
#include "dist/halo.h"
#include "dist/nufft/padded.h"
#include "dist/nufft/routing.h"
#include "nufft/slab.h"

/* All that depends on the points */
typedef struct dist_points {
    int64_t total; /* points of all ranks */
    choice chosen; /* the caller's axes */
    layout *whole; /* window and deapodisation; the grid itself exists in slabs alone */
    padded_fft *fft;
    halo *ghosts;
    routing *route;
    argand_nufft *slab; /* axes x, z, y; NULL where this rank keeps no points */
} dist_points;

struct argand_dist_nufft {
    argand_comm *comm;
    argand_comm *exchanges; /* that of comm_choose; no reference */
    argand_device *device;
    argand_nufft_options options; /* with defaults filled in */
    double scale[3];              /* of positions, as in argand_nufft */
    dist_points *points;          /* NULL before the first argand_dist_nufft_set_points */
};

/* points.c: collective; k is checked. */
argand_status dist_points_create(dist_points **out, const argand_dist_nufft *plan, argand_array *const k[]);
void dist_points_destroy(dist_points *p); /* NULL is allowed */

#endif
