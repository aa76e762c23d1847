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
    int number;      /* of the encoding */
    int calibrating; /* encoding of the separate calibration lines */
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

/* lattice.c: regular undersampling. */
typedef struct fill_lattice {
    argand_undersampling u; /* without extents */
    int64_t others;         /* acquired lines between those of the lattice */
} fill_lattice;
/* Finds it among lines {y, z}. ARGAND_UNSUPPORTED: there is none. */
argand_status fill_lattice_find(fill_lattice *l, const char *path, const int32_t (*lines)[2], int64_t count);

/* kernels.c: how volumes were filled, for the g-factor. */
typedef struct fill_kernel {
    argand_array *kernel; /* argand_grappa_kernel */
    fill_lattice lattice;
} fill_kernel;
typedef struct fill_kernels {
    int64_t count, capacity, volumes;
    fill_kernel *list;
    argand_counters *counters; /* of each volume */
    int64_t *of;               /* kernel of each volume; -1: it was complete */
} fill_kernels;
argand_status fill_kernels_new(fill_kernels *k, const fill_lines *l);
/* Notes the kernel of a volume that the plan fills. again: it is that of the kernel before. */
argand_status fill_kernels_add(fill_kernels *k, const fill_lines *l, int64_t volume,
                               const argand_grappa *plan, bool again);
void fill_kernels_free(fill_kernels *k);
/* Finds the kernel of a volume; *kernel NULL: it was complete. ARGAND_ARGUMENT: fill kept no kernels, or has
 * no such volume. */
argand_status fill_kernel_of(const fill_kernel **kernel, const fill_kernels *k,
                             const argand_counters *volume);
const fill_kernels *fill_kernels_of(const argand_fill *fill);

#endif
