/* SPDX-License-Identifier: BSD-3-Clause */
/* Voxels of one grid at the places of another in the patient. */
#ifndef CLI_COMMON_REGRID_H
#define CLI_COMMON_REGRID_H

#include <complex.h>

#include "common/report.h"

/* A volume and where it lies; its geometry is valid. */
typedef struct regrid_place {
    int64_t n[3];
    argand_geometry geometry;
} regrid_place;

/* to, a volume in its place, from such a one: trilinear, or of the nearest voxel. 0 where `from` has nothing;
 * returns how many those are. */
int64_t regrid(double complex *to, const regrid_place *to_place, const double complex *from,
               const regrid_place *from_place, bool nearest);
/* The farthest that a corner of one lies from the same corner of the other, in mm; of as many voxels. */
double regrid_distance(const regrid_place *a, const regrid_place *b);

#endif
