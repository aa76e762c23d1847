/* SPDX-License-Identifier: BSD-3-Clause */
/* Own arrays as a scan: k-space, positions and times from .npy, .cfl or .nii become an argand_scan, for
 * `argand pack`, which writes it, and for the reconstructing commands, which take it as it is. axes.c says
 * which dimension is what, matrix.c the grid, scan.c makes the acquisitions, `auxiliary.c` what goes with
 * them. */
#ifndef CLI_PACK_H
#define CLI_PACK_H

#include "common/report.h"

typedef struct pack_settings {
    const char *kspace, *trajectory, *times, *axes, *trajectory_axes, *fov, *like;
    double sample_time, echo_time; /* s */
    option_sizes matrix;
    int k_unit;
    int k_order; /* 1: z, y, x */
} pack_settings;

#define PACK_OPTIONS(p)                                                                                  \
    text_option("kspace", 0, &(p).kspace, "FILE",                                                        \
                "k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl "       \
                "in BART's order"),                                                                      \
        text_option("trajectory", 0, &(p).trajectory, "FILE",                                            \
                    "k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, "         \
                    "sample, shot}. Without a trajectory the samples form a Cartesian grid, and "        \
                    "points that are 0 in all coils count as unmeasured"),                               \
        text_option("times", 0, &(p).times, "FILE",                                                      \
                    "time of each sample in seconds, [shot, sample] or [sample]"),                       \
        text_option("axes", 0, &(p).axes, "LIST",                                                        \
                    "name the axes of --kspace in the order of the file (NumPy's shape, BART's .hdr): "  \
                    "1, sample, shot, partition, coil, slice, repetition, contrast, average, set. "      \
                    "Default: recognised from the sizes"),                                               \
        text_option("trajectory-axes", 0, &(p).trajectory_axes, "LIST",                                  \
                    "name the axes of --trajectory in the order of the file, as in --axes; k is the "    \
                    "axis of the components (kx, ky, kz)"),                                              \
        choice_option("k-order", 0, &(p).k_order, "ORDER", "xyz|zyx",                                    \
                      "order of the components of --trajectory: x first (BART, FINUFFT), or the order "  \
                      "of NumPy's image axes (SigPy, mri-nufft)"),                                       \
        text_option("fov", 0, &(p).fov, "MM[xMM[xMM]]",                                                  \
                    "encoded field of view of --kspace in mm (--image-fov sets that of the image). "     \
                    "Default: voxels of 1 mm"),                                                          \
        text_option("like", 0, &(p).like, "IMAGE.nii",                                                   \
                    "take field of view, matrix, position and orientation of --kspace from this image"), \
        double_option("sample-time", 0, &(p).sample_time, "S", 0, 1,                                     \
                      "dwell time of --kspace in seconds, if --times is not given"),                     \
        double_option("echo-time", 0, &(p).echo_time, "S", 0, 10,                                        \
                      "echo time of --kspace in seconds: the time at the centre of k-space")

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

/* An array file as numbers on the host: floats (real or complex), and the length and stride (in elements) of
 * each axis; a missing one has length 1 and stride 0. */
typedef struct pack_array {
    const char *named, *path; /* "--kspace" */
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    pack_axis kinds[ARGAND_MAX_RANK];
    bool is_complex;
    float *numbers;
    int64_t length[AXIS_KINDS], stride[AXIS_KINDS];
    bool by_energy; /* which axis is coil was told by the data */
} pack_array;

/* Reads any real or complex file as floats. */
argand_status pack_array_read(pack_array *a, const char *named, const char *path, argand_device *device);
void pack_array_free(pack_array *a);

/* The kinds of all axes: from the lists, else recognised. trajectory NULL: a Cartesian grid. */
argand_status pack_axes_find(pack_array *kspace, pack_array *trajectory, const pack_settings *s);
/* "coil 8, shot 16, sample 512" in the file's own order; "coil,shot,sample". */
/* (8, 16, 512) as NumPy prints a shape, {1, 512, 16, 8} as BART does. */
const char *pack_shape_text(char *text, size_t size, const pack_array *a);
const char *pack_axes_text(char *text, size_t size, const pack_array *a);
const char *pack_axes_list(char *text, size_t size, const pack_array *a);
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

/* Whether more than half of the neighbours along an axis, of a trajectory in cycles, are further apart than
 * 1.3 cycles; along readouts: of those that lie on smooth curves. */
bool pack_is_coarse(const pack_array *trajectory, pack_axis axis);

/* Positions in cycles per field of view, and the encoded matrix and field of view. */
argand_status pack_matrix_find(argand_encoding *e, pack_array *kspace, pack_array *trajectory,
                               const pack_settings *s, const argand_geometry *like, report *out);

/* One to three lengths in mm, "240x220"; named: the option. */
argand_status pack_fov_read(double fov[3], int *count, const char *named, const char *text);

/* The scan and the memory that it points to. */
typedef struct pack_scan {
    argand_scan scan;
    argand_encoding encoding;
    argand_acquisition *acquisitions, *noise;
    float *data, *k, *t, *noise_data;
    argand_scan_array arrays[4];
    float *array_data[4];
    double echo_time;
    bool cartesian;
} pack_scan;

argand_status pack_scan_make(pack_scan *p, const pack_settings *s, argand_device *device, report *out);
/* A noise scan {samples, channels} for it. */
argand_status pack_scan_noise(pack_scan *p, const char *path, argand_device *device);
/* A map of one of the names that readers know ("SENSEMap"); one that does not fit the scan is refused. */
argand_status pack_scan_array(pack_scan *p, const char *name, const char *named, const char *path,
                              argand_device *device, double scale);
void pack_scan_free(pack_scan *p);

#endif
