/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a scan of user arrays (argand_scan_pack). array.c converts to floats, axes.c and grid_axes.c name
 * the dimensions, order.c sorts the components of positions, matrix.c finds grid and unit, scan.c makes the
 * acquisitions. */
#ifndef IO_PACK_PACK_H
#define IO_PACK_PACK_H

#include <argand/pack.h>
#include "base/status.h"

/* Meaning of an axis. */
typedef enum pack_axis {
    AXIS_ONE, /* length 1, no meaning */
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

/* An array of floats on the host (real or complex), with length and stride (in elements) of each kind of
 * axis. A missing axis has length 1 and stride 0. */
typedef struct pack_array {
    const char *name, *title, *axes; /* as in argand_pack_array */
    bool slowest_first;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    pack_axis kinds[ARGAND_MAX_RANK];
    bool is_complex;
    float *numbers;
    bool borrowed; /* `numbers` belongs to the caller */
    int64_t length[AXIS_KINDS], stride[AXIS_KINDS];
    bool by_energy; /* the coil axis was found by the data */
    bool repeated;  /* all coils hold the same samples up to a factor */
} pack_array;

/* Reads a real or complex array of any precision. usual: its name if none is given. changed: copy the
 * elements, because the caller will change them. Refuses elements that are not finite. Call
 * pack_array_free() also after a failure. */
argand_status pack_array_take(pack_array *a, const argand_pack_array *given, const char *usual, bool changed);
void pack_array_free(pack_array *a);

/* Finds the kinds of all axes: from the lists, else from the shapes. trajectory NULL: a Cartesian grid. */
argand_status pack_axes_find(pack_array *kspace, pack_array *trajectory);
/* Print the axes in the array's own order: "coil 8, shot 16, sample 512"; "coil,shot,sample". */
const char *pack_axes_text(char *text, size_t size, const pack_array *a);
const char *pack_axes_list(char *text, size_t size, const pack_array *a);
/* Prints (8, 16, 512) as NumPy prints a shape, or {1, 512, 16, 8} as BART does. */
const char *pack_shape_text(char *text, size_t size, const pack_array *a);
/* pack_axis_set gives an axis its kind and refuses a kind that another axis has. pack_axes_rest calls the
 * axis after the coils repetition. */
argand_status pack_axis_set(pack_array *a, int axis, pack_axis kind);
argand_status pack_axes_rest(pack_array *a, int from);
/* Finds the kinds of a grid's axes: by their order, or by the data if they contradict. If neither is
 * clear, refuses and says which option to give. */
argand_status pack_grid_axes(pack_array *kspace);

/* Energy along an axis, as ratios of near a place to far from it. The places are the middle, both ends,
 * and the peak of a long axis. A short axis has no ratios. */
typedef struct pack_energy {
    double middle, at_ends, elsewhere;
    double near_peak; /* energy next to the peak, as a fraction of that of the peak */
    int64_t peak;
    bool short_axis, long_axis, peak_is_inside, hill;
    bool steep; /* a short axis with a steep peak in the middle */
    bool falls; /* from both ends on. Energy of a derivative's k-space is at the ends, but spread */
} pack_energy;
argand_status pack_energy_of(pack_energy *e, const pack_array *a, int axis);
bool pack_energy_is_peaked(const pack_energy *e);
bool pack_energy_is_flat(const pack_energy *e, double most);
bool pack_energy_says_anything(const pack_energy *e);

/* Compares the samples with those that are mirrored about the energy's peak. A real object has a symmetric
 * k-space. Sets *difference to the correlation of magnitudes if all axes k[0..2] are mirrored, minus that
 * with k[2] left as it is. It is near 0 or positive for partitions of a volume, negative for slices, and 0
 * if there are too few pairs. */
argand_status pack_mirror_of(double *difference, const pack_array *a, const int k[3], const int64_t peak[3]);
/* Returns true if all indices of an axis hold the same samples up to a factor, as repetitions do. */
bool pack_is_repeated(const pack_array *a, int axis);
/* Returns true if few samples hold most of the energy; in white noise they do not. */
bool pack_is_concentrated(const pack_array *a);

/* Returns true if more than half of the neighbours along an axis are more than 1.3 cycles apart. The
 * trajectory is in cycles per field of view. Along readouts, only steps on smooth curves count as too
 * long. */
bool pack_is_coarse(const pack_array *trajectory, pack_axis axis);

/* The arrays that are read, and the scan that is made. */
typedef struct packing {
    const argand_pack_options *options;
    struct scan_owner *owner;
    const pack_array *kspace, *trajectory, *times; /* trajectory, times: NULL if there are none */
    int64_t samples,
        first; /* samples of a shot, and the first one: a Cartesian grid's zeros at both ends are left out */
    double sample_time;
} packing;

/* Sends a note to the caller's function, or adds it to the scan's notes. */
void pack_note(const packing *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Brings the components of positions into the order x, y, z. Refuses an order that nobody named if the
 * positions contradict it. */
argand_status pack_order_apply(pack_array *trajectory, const packing *p);

/* Converts positions to cycles per field of view; sets the encoded matrix and field of view. */
argand_status pack_matrix_find(argand_encoding *e, pack_array *kspace, pack_array *trajectory,
                               const packing *p);

#endif
