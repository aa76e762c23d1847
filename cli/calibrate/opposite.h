/* SPDX-License-Identifier: BSD-3-Clause */
/* A field map from two images of EPI with opposite phase encoding, part of `argand calibrate field-map`. */
#ifndef CLI_CALIBRATE_OPPOSITE_H
#define CLI_CALIBRATE_OPPOSITE_H

#include "calibrate/calibrate.h"

typedef struct opposite_pair {
    const char *up, *down; /* files; their sidecars may tell which is which */
    double echo_spacing;   /* s; 0: that of the sidecars */
    double beta;
} opposite_pair;

/* Computes the map {nx, ny, nz or slices} in rad/s. geometry: that of `up`. */
argand_status opposite_field(argand_array **map, argand_geometry *geometry, const opposite_pair *pair,
                             argand_device *device, report *out);

#endif
