/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads arrays that an option names: an array file, or an array of a scan. */
#ifndef CLI_FILES_MAPS_H
#define CLI_FILES_MAPS_H

#include "common/report.h"

/* Reads an array file. An error message begins with the option's name. */
argand_status array_file_read(const char *named, const char *path, argand_device *device,
                              argand_array **array);
/* Converts complex numbers with imaginary parts 0, as BART stores real ones, to real; refuses others. */
argand_status array_file_real(const char *named, const char *path, argand_array **array);

/* Finds a map by name: "none"; ":NAME" or "NAME" in the scan (then *array stays NULL and *name is set);
 * "FILE.h5:NAME"; or a file (then *name is its name in messages). place may be NULL: position of a NIfTI
 * file, otherwise not valid. */
argand_status map_find(const char *from, argand_device *device, const argand_scan *scan, argand_array **array,
                       const char **name, argand_geometry *place);
/* Returns true if the name is a file's, which may have a sidecar. */
bool map_is_file(const char *from, const argand_scan *scan);

#endif
