/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from the name of a file: the ending, the format, the stem that a sidecar shares. Nothing is
 * opened. */
#ifndef CLI_COMMON_PATH_H
#define CLI_COMMON_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the name has this ending and something before it. */
bool has_ending(const char *path, const char *ending);
/* Returns true for .nii and .nii.gz. */
bool path_is_nifti(const char *path);
/* Returns true for the formats of arrays that the library reads and writes. */
bool path_is_array(const char *path);
/* Returns true for .dcm. */
bool path_is_dicom(const char *path);
/* Returns true for .h5, .hdf5 and .mrd. */
bool path_is_scan(const char *path);
/* Returns the length of the name without the ending of an array file, DICOM or scan: "dir/brain.nii.gz" has
 * the stem "dir/brain". Without a known ending, that is the whole name. */
size_t path_stem(const char *path);

#endif
