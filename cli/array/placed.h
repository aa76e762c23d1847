/* SPDX-License-Identifier: BSD-3-Clause */
/* Images with their position in the patient, for resample and unwarp. */
#ifndef CLI_ARRAY_PLACED_H
#define CLI_ARRAY_PLACED_H

#include "common/command.h"

typedef struct placed {
    argand_array *array;
    argand_geometry geometry;
} placed;

argand_status placed_read(placed *x, const char *path, argand_device *device);
/* Refuses an image without a position. */
argand_status placed_check(const placed *x, const char *path);
argand_status placed_write(const char *path, const placed *y);

#endif
