/* SPDX-License-Identifier: BSD-3-Clause */
/* Own arrays as a scan (argand_scan_pack): array.c has them as numbers, axes.c and grid_axes.c say which
 * dimension is what, matrix.c the grid and the unit, scan.c makes the acquisitions. */
#ifndef IO_PACK_PACK_H
#define IO_PACK_PACK_H

#include <argand/io.h>
#include "base/status.h"

/* What an axis counts. */
typedef enum pack_axis {
    AXIS_ONE, /* of length 1, nothing */
    AXIS_K,   /* kx, ky[, kz] */
    AXIS_SAMPLE,
    AXIS_SHOT,
    AXIS_PARTITION,
    AXIS_COIL,
    AXIS_SLICE,
    AXIS_REPETITION,
    AXIS_CONTRAST,
    AXIS_AVERAGE,
    AXIS_SET,
    AXIS_KINDS
} pack_axis;
extern const char *const pack_axis_names[AXIS_KINDS];

/* An array as floats on the host (real or complex), and the length and stride (in elements) of each axis; a
 * missing one has length 1 and stride 0. */
typedef struct pack_array {
    const char *name, *title, *axes; /* as in argand_pack_array */
    bool slowest_first;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    pack_axis kinds[ARGAND_MAX_RANK];
    bool is_complex;
    float *numbers;
    bool borrowed; /* the caller's own */
    int64_t length[AXIS_KINDS], stride[AXIS_KINDS];
    bool by_energy; /* which axis is coil was told by the data */
} pack_array;

/* Takes the elements of any real or complex array; usual: its name where none is given; changed: they will
 * be, so that a copy is needed. Elements that are not finite are refused. pack_array_free() also after a
 * failure.
 */
argand_status pack_array_take(pack_array *a, const argand_pack_array *given, const char *usual, bool changed);
void pack_array_free(pack_array *a);

/* The kinds of all axes: from the lists, else recognised. trajectory NULL: a Cartesian grid. */
argand_status pack_axes_find(pack_array *kspace, pack_array *trajectory);
/* "coil 8, shot 16, sample 512" in the array's own order; "coil,shot,sample". */
const char *pack_axes_text(char *text, size_t size, const pack_array *a);
const char *pack_axes_list(char *text, size_t size, const pack_array *a);
/* (8, 16, 512) as NumPy prints a shape, {1, 512, 16, 8} as BART does. */
const char *pack_shape_text(char *text, size_t size, const pack_array *a);
/* Calls an axis by a kind; refuses a kind that another axis has. Calls what follows the coils repetition. */
argand_status pack_axis_set(pack_array *a, int axis, pack_axis kind);
argand_status pack_axes_rest(pack_array *a, int from);
/* The same of a grid: by the order of its axes where the data do not contradict, else by the data, else
 * refused with what to give. */
argand_status pack_grid_axes(pack_array *kspace);

/* How energy lies along an axis: near a place over far from it, at the middle, around both ends, at the peak
 * of a long axis. A short axis says nothing. */
typedef struct pack_energy {
    double middle, at_ends, elsewhere;
    bool short_axis, peak_is_inside, hill;
} pack_energy;
argand_status pack_energy_of(pack_energy *e, const pack_array *a, int axis);
bool pack_energy_is_peaked(const pack_energy *e);
bool pack_energy_is_flat(const pack_energy *e, double most);
bool pack_energy_says_anything(const pack_energy *e);

/* Returns true if more than half of the neighbours along an axis, of a trajectory in cycles, are further
 * apart than 1.3 cycles; along readouts: of those that lie on smooth curves. */
bool pack_is_coarse(const pack_array *trajectory, pack_axis axis);

/* What is read, and the scan that it goes into. */
typedef struct packing {
    const argand_pack_options *options;
    struct scan_owner *owner;
    const pack_array *kspace, *trajectory, *times; /* the last two NULL: none */
    int64_t samples, first; /* of a shot: those between the zeros at both ends of a Cartesian grid */
    double sample_time;
} packing;

/* A sentence for people, to the caller's function or into the scan's notes. */
void pack_note(const packing *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Positions in cycles per field of view, and the encoded matrix and field of view. */
argand_status pack_matrix_find(argand_encoding *e, pack_array *kspace, pack_array *trajectory,
                               const packing *p);

#endif
