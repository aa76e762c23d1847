/* SPDX-License-Identifier: BSD-3-Clause */
/* Many compiled kernels in one file of a folder, found by their hashes. The file has "argand archive 1\n",
 * the number of kernels, then one entry for each, in the order of the hashes: the hash, the position and
 * the packed bytes in the file, the unpacked bytes (8 bytes each, little-endian). The packed kernels follow
 * (zlib, which has a checksum). */
#ifndef DEVICE_KERNEL_ARCHIVE_H
#define DEVICE_KERNEL_ARCHIVE_H

#include "device/kernel_file.h"

#define KERNEL_ARCHIVE_NAME "kernels.archive"

/* Reads a kernel of the folder's archive (memory_free), or leaves the binary empty. Accepts only a file that
 * belongs to `owner` or root. */
void kernel_archive_read(const char *folder, const kernel_id *id, uid_t owner, kernel_binary *binary);
/* Packs all kernel files of the folder into its archive, which it replaces, and removes the files. */
argand_status kernel_archive_pack(const char *folder);
/* Adds the archive's kernels and bytes to files and bytes. */
void kernel_archive_count(argand_cache_info *info, const char *folder);

#endif
