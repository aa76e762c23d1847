/* SPDX-License-Identifier: BSD-3-Clause */
/* The acquisitions of a scan's k-space, and the grid of a Cartesian scan. */
#ifndef CLI_CONVERT_SAMPLES_H
#define CLI_CONVERT_SAMPLES_H

#include "convert/convert.h"

/* Image data in the file's order, with the calibration lines that lie between them. */
typedef struct kspace_lines {
    const argand_scan *scan;
    const argand_acquisition **at;
    int64_t count;
} kspace_lines;

/* {nx, ny, nz, coils}, then the counters with several values. */
typedef struct kspace_grid {
    int rank;
    int64_t dims[ARGAND_MAX_RANK], points; /* points: product of dims without coils */
    int counter[ARGAND_MAX_RANK];          /* of dimensions from the fifth on */
} kspace_grid;

/* Finds the grid of the lines. *reason says why the lines do not fit on one with each point measured at
 * most once; NULL if they do. Returns ARGAND_MEMORY if the check needs too much memory. */
argand_status kspace_grid_find(kspace_grid *grid, const char **reason, const kspace_lines *lines);
/* Copies samples to their grid points; other points stay unchanged. */
void kspace_grid_fill(float *to, const kspace_grid *grid, const kspace_lines *lines);
/* Writes the names of the axes, "sample,shot,partition,coil,slice", or in reversed order. */
const char *kspace_grid_axes(char *text, size_t size, const kspace_grid *grid, bool reversed);
/* Returns true if --axes of argand sense has a name for each axis. */
bool kspace_grid_is_named(const kspace_grid *grid);

#endif
