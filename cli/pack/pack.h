/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a scan from own arrays: files with k-space, positions and times become an argand_scan
 * (argand_scan_pack). `argand pack` writes the scan; the reconstructing commands use it directly. scan.c
 * reads the files, array.c and auxiliary.c those that accompany them. */
#ifndef CLI_PACK_H
#define CLI_PACK_H

#include "common/report.h"

typedef struct pack_settings {
    const char *kspace, *trajectory, *times, *axes, *trajectory_axes, *fov, *like;
    double sample_time, echo_time; /* s */
    option_sizes matrix;
    int k_unit;
    int k_order; /* argand_k_order */
} pack_settings;

#define PACK_OPTIONS(p)                                                                                     \
    text_option("kspace", 0, &(p).kspace, "FILE",                                                           \
                "k-space samples from FILE instead of a scan: .npy [coil, shot, sample], or .cfl "          \
                "in BART's order"),                                                                         \
        text_option("trajectory", 0, &(p).trajectory, "FILE",                                               \
                    "k-space positions of the samples: .npy [shot, sample, 2 or 3] or .cfl {3, "            \
                    "sample, shot}. Without a trajectory the samples form a Cartesian grid, and "           \
                    "points that are 0 in all coils count as unmeasured"),                                  \
        text_option("times", 0, &(p).times, "FILE",                                                         \
                    "time of each sample in seconds, [shot, sample] or [sample]"),                          \
        text_option("axes", 0, &(p).axes, "LIST",                                                           \
                    "name the axes of --kspace in the order of the file (NumPy's shape, BART's .hdr): "     \
                    "1, sample, shot, partition, coil, slice, repetition, contrast, average, set. "         \
                    "Default: recognised from the sizes"),                                                  \
        text_option("trajectory-axes", 0, &(p).trajectory_axes, "LIST",                                     \
                    "name the axes of --trajectory in the order of the file, as in --axes; k is the "       \
                    "axis of the components (kx, ky, kz)"),                                                 \
        choice_option("k-order", 0, &(p).k_order, "ORDER", "auto|xyz|zyx",                                  \
                      "order of the components of --trajectory: kx first (BART), or kx last, as x is the "  \
                      "last of NumPy's image axes (argand.trajectory, SigPy, mri-nufft). auto: kx last in " \
                      ".npy, first in other files"),                                                        \
        text_option("fov", 0, &(p).fov, "MM[xMM[xMM]]",                                                     \
                    "encoded field of view of --kspace in mm (--image-fov sets that of the image). "        \
                    "Default: voxels of 1 mm"),                                                             \
        text_option("like", 0, &(p).like, "IMAGE.nii",                                                      \
                    "take field of view, matrix, position and orientation of --kspace from this image"),    \
        double_option("sample-time", 0, &(p).sample_time, "S", 0, 1,                                        \
                      "dwell time of --kspace in seconds, if --times is not given"),                        \
        double_option("echo-time", 0, &(p).echo_time, "S", 0, 10,                                           \
                      "echo time of --kspace in seconds: the time at the centre of k-space")

/* An array file as floats on the host, real or complex. */
typedef struct pack_array {
    const char *named, *path; /* "--noise" */
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    bool is_complex;
    float *numbers;
} pack_array;

/* Reads any real or complex file as floats. */
argand_status pack_array_read(pack_array *a, const char *named, const char *path, argand_device *device);
void pack_array_free(pack_array *a);

/* Reads one to three lengths in mm, "240x220". named: the option. */
argand_status pack_fov_read(double fov[3], int *count, const char *named, const char *text);

/* The scan from argand_scan_pack, with additions. */
typedef struct pack_scan {
    argand_scan scan; /* points to the memory of `made` and of the members below */
    argand_scan *made;
    argand_acquisition *acquisitions, *noise;
    float *noise_data;
    argand_scan_array arrays[4];
    float *array_data[4];
} pack_scan;

argand_status pack_scan_make(pack_scan *p, const pack_settings *s, argand_device *device, report *out);
/* Adds a noise scan {samples, channels}. */
argand_status pack_scan_noise(pack_scan *p, const char *path, argand_device *device);
/* Adds a map under a name that readers know ("SENSEMap"). Refuses a map that does not fit the scan. */
argand_status pack_scan_array(pack_scan *p, const char *name, const char *named, const char *path,
                              argand_device *device, double scale);
/* Removes the positions of acquisitions, as in files of Cartesian scans: readers use the counters. */
argand_status pack_scan_forget_positions(pack_scan *p);
void pack_scan_free(pack_scan *p);

#endif
