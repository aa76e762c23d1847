/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from the name of a file: the ending, the format, the stem that a sidecar shares. Nothing is
 * opened. */
#ifndef CLI_COMMON_PATH_H
#define CLI_COMMON_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the name has this ending and something before it. */
bool has_ending(const char *path, const char *ending);
/* The same for endings in capital and small letters, as the library knows those of pictures. */
bool has_ending_any_case(const char *path, const char *ending);
/* Returns true for .tif and .tiff, in any letters. */
bool path_is_tiff(const char *path);
/* Returns true for .nii and .nii.gz. */
bool path_is_nifti(const char *path);
/* Returns true for the formats of arrays that the library reads and writes. */
bool path_is_array(const char *path);
/* Returns true for .dcm. */
bool path_is_dicom(const char *path);
/* Endings of raw data that are read: ISMRMRD (HDF5, MRD streams of version 1 and 2) and Siemens (twix). */
#define PATH_SCANS ".h5", ".hdf5", ".mrd", ".mrd2", ".dat"
#define PATH_SCANS_TEXT ".h5, .hdf5, .mrd, .mrd2, .dat"
bool path_is_scan(const char *path);
/* Returns the colon of SCAN:NAME, an array of a scan with such an ending; NULL: it is none. */
const char *path_scan_array(const char *path);
/* Returns the length of the name without the ending of an array file, DICOM or scan: "dir/brain.nii.gz" has
 * the stem "dir/brain". Without a known ending, that is the whole name. */
size_t path_stem(const char *path);

#endif
