/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of argand_fill_create: lines of volumes on the grid of k-space (grid.c), their calibration data
 * (calibration.c), lines that are added or changed (lines.c), the new scan (fill.c). */
#ifndef RECON_FILL_H
#define RECON_FILL_H

#include <argand/calib.h>
#include <argand/recon.h>
#include "base/status.h"
#include "base/text.h"

/* The image lines of an encoding, volume after volume. */
typedef struct fill_lines {
    const argand_scan *scan;
    const argand_encoding *encoding;
    int number; /* of the encoding */
    argand_device *host;
    bool embedded;                   /* calibration lines are image lines too */
    int64_t count;                   /* of lines */
    const argand_acquisition **line; /* in the file's order within a volume */
    int64_t volumes, *first;         /* lines of volume v: first[v] ... first[v + 1] - 1 */
} fill_lines;
argand_status fill_lines_find(fill_lines *l, const argand_scan *scan, int encoding);
void fill_lines_free(fill_lines *l);
bool fill_same_volume(const argand_counters *a, const argand_counters *b);

/* Where a line's first sample lies on the grid. */
typedef struct fill_place {
    int64_t x, y, z;
} fill_place;
/* Refuses lines beyond the encoded matrix and samples between its points. */
argand_status fill_place_of(fill_place *at, const fill_lines *l, const argand_acquisition *a);
/* Makes k-space {nx, ny, nz, channels} of lines; several samples of one position are averaged. */
argand_status fill_grid(argand_array **kspace, const fill_lines *l, const argand_acquisition *const *lines,
                        int64_t count);

/* Calibration data of the volume that was filled last. */
typedef struct fill_calibration {
    argand_array *data;
    const argand_acquisition *source; /* first of its lines, which tells data from other data */
} fill_calibration;
/* Finds the calibration data for a volume and its k-space. */
argand_status fill_calibrate(fill_calibration *c, const fill_lines *l, int64_t volume,
                             const argand_array *kspace);

/* Samples that were computed: acquisitions of the new scan, and their memory. */
typedef struct fill_added {
    int64_t count, capacity;
    argand_acquisition *lines; /* added ones */
    int64_t block_count, block_capacity;
    void **blocks;
} fill_added;
/* Adds the lines of a filled volume that the scan lacks. changed: the new scan's list of image lines, whose
 * lines with missing samples get the computed ones. */
argand_status fill_add(fill_added *added, const fill_lines *l, int64_t volume, const argand_array *kspace,
                       argand_acquisition *changed);
void fill_added_free(fill_added *added);

#endif
