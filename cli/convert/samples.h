/* SPDX-License-Identifier: BSD-3-Clause */
/* The acquisitions that a scan's k-space holds, and the grid on which those of a Cartesian scan lie. */
#ifndef CLI_CONVERT_SAMPLES_H
#define CLI_CONVERT_SAMPLES_H

#include "convert/convert.h"

/* In the file's order: image data, and calibration lines that lie between their lines. */
typedef struct kspace_lines {
    const argand_scan *scan;
    const argand_acquisition **at;
    int64_t count;
} kspace_lines;

/* {nx, ny, nz, coils}, then the counters that have several values. */
typedef struct kspace_grid {
    int rank;
    int64_t dims[ARGAND_MAX_RANK], points; /* points: the product without coils */
    int counter[ARGAND_MAX_RANK];          /* of dimensions from the fifth on */
} kspace_grid;

/* Describes the grid. *reason: why the lines do not lie on one, each point measured once at most; NULL where
 * they do. ARGAND_MEMORY where it cannot be looked at. */
argand_status kspace_grid_find(kspace_grid *grid, const char **reason, const kspace_lines *lines);
/* Samples in their places; what was not measured stays as it is. */
void kspace_grid_fill(float *to, const kspace_grid *grid, const kspace_lines *lines);
/* "sample, shot, partition, coil, slice", or the other way round, with a comma and no blank. */
const char *kspace_grid_axes(char *text, size_t size, const kspace_grid *grid, bool reversed);
/* Returns true if --axes of argand sense has a name for each of them. */
bool kspace_grid_is_named(const kspace_grid *grid);

#endif
