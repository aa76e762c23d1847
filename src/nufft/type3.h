/* SPDX-License-Identifier: BSD-3-Clause */
/* Type 3 as two plans: the window spreads sources to a grid, and a type 2 takes that grid, as if it were an
 * image, to the targets; then the window's transform at the targets is divided out (Lee and Greengard, J.
 * Comput. Phys. 206:1, 2005). Middles of the extents are phases of strengths and samples.
 * With R and K half of the extents of sources and targets in cycles, the spreading plan is one for an image
 * of n >= 4 K R pixels and a little for the window: sources r are its points 2 K r, and targets lie where its
 * pixels are, at k n / (2 K) between -n/2 and n/2, only not on whole ones. */
#ifndef NUFFT_TYPE3_H
#define NUFFT_TYPE3_H

#include <argand/nufft3.h>
#include "nufft/plan.h"

/* All that depends on the points */
typedef struct point_pair {
    int64_t sources, targets;
    double rounding; /* of positions, relative to the result: they are rounded again when they are scaled */
    argand_nufft *spread;    /* sources to a grid */
    argand_nufft *transform; /* the grid to targets */
    argand_array *before;    /* of each source: its phase; NULL where all are 1 */
    argand_array *after;     /* of each target: its phase over the window's transform */
} point_pair;

struct argand_nufft3 {
    argand_device *device;
    argand_nufft3_options options; /* with defaults filled in */
    point_pair *pair;              /* NULL before the first argand_nufft3_set_points */
};

/* type3_points.c */
argand_status pair_create(point_pair **out, const argand_nufft3 *plan, argand_array *const sources[],
                          argand_array *const targets[]);
void pair_destroy(point_pair *pair);

#endif
