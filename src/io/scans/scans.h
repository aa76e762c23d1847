/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads scans in other formats than ISMRMRD's HDF5: fastMRI's HDF5, streams of ISMRMRD messages saved to a
 * file (siemens_to_ismrmrd and ismrmrd_hdf5_to_stream write such files), files and streams of
 * MRD version 2 (io/mrd2), Siemens raw files (io/twix), and folders of
 * ParaVision (io/bruker). */
#ifndef IO_SCANS_SCANS_H
#define IO_SCANS_SCANS_H

#include "io/ismrmrd/scan.h"

/* Returns true if a file begins like a stream: with a configuration, a text or a valid header. */
bool scan_is_stream(const char *path);
argand_status scan_read_stream(scan_reader *reader);

/* Returns true if a file has fastMRI's layout: k-space and no group of ISMRMRD's. */
bool scan_is_fastmri(const scan_reader *reader);
argand_status scan_read_fastmri(scan_reader *reader);

/* Returns true if a file begins like MRD version 2. */
bool scan_is_mrd2(const char *path);
argand_status scan_read_mrd2(scan_reader *reader);

/* Returns true if a path is a folder of ParaVision (Bruker) or the data in it; *bytes: size of the data. */
bool scan_bruker_data(uint64_t *bytes, const char *path);
/* Sets the name of the i-th file that such a scan is read from, which may be missing; false: no such i. */
enum { SCAN_BRUKER_PATH = 4096 + 16 };
bool scan_bruker_file(char file[SCAN_BRUKER_PATH], int i, const char *path);
argand_status scan_read_bruker(scan_reader *reader);

/* Returns true if a file begins like a Siemens raw file (twix). */
bool scan_is_twix(const char *path);
argand_status scan_read_twix(scan_reader *reader);

#endif
