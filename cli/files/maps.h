/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that an option names: an array file, or an array of a scan. */
#ifndef CLI_FILES_MAPS_H
#define CLI_FILES_MAPS_H

#include "common/report.h"

/* Reads an array file; the message of a failure begins with the option's name. */
argand_status array_file_read(const char *named, const char *path, argand_device *device,
                              argand_array **array);
/* Complex numbers without an imaginary part, as BART's files hold real ones, become real; others are refused.
 */
argand_status array_file_real(const char *named, const char *path, argand_array **array);

/* A map by name: "none", ":NAME" or "NAME" of the scan (then *array remains NULL and *name is set),
 * "FILE.h5:NAME", or a file (then *name is what messages call it). place may be NULL: where a NIfTI file
 * says that it lies; not valid for others. */
argand_status map_find(const char *from, argand_device *device, const argand_scan *scan, argand_array **array,
                       const char **name, argand_geometry *place);
/* Returns true if the name is a file's, which may have a sidecar. */
bool map_is_file(const char *from, const argand_scan *scan);

#endif
