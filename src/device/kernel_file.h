/* SPDX-License-Identifier: BSD-3-Clause */
/* A compiled kernel in a file. The file's name is a hash of all that determines the binary. It holds
 * "argand kernel 1\n", that hash, the length (8 bytes, little-endian), a hash of the binary, and the
 * binary. Renaming makes the complete file visible at once, so that many processes may read and write. A
 * file counts as missing if it is too short, changed, of another name, or if others may write it. */
#ifndef DEVICE_KERNEL_FILE_H
#define DEVICE_KERNEL_FILE_H

#include <sys/types.h>
#include "base/hash.h"
#include "device/backend.h"

typedef struct kernel_id {
    unsigned char hash[HASH_BYTES];
} kernel_id;

enum {
    KERNEL_FILE_PATH = 4096,
    KERNEL_FILE_MOST = 1 << 28, /* bytes of a file or kernel */
    KERNEL_SLOT_BYTES = 8 /* of a shipped kernel's hash: alike for the same chip, key and items (shipped.c) */
};
#define KERNEL_FILE_ENDING ".bin"

/* Sets `path` to folder/HASH.bin. Returns false if it is too long. */
bool kernel_file_name(char path[KERNEL_FILE_PATH], const char *folder, const kernel_id *id);
/* Makes all folders on the path to the file. */
void kernel_file_folders(const char *file, mode_t mode);

/* Sets the size of an open file. Returns false if others than `owner` or root may have written it: such
 * files are not executed. */
bool kernel_file_is_trusted(int file, uid_t owner, size_t *count);
/* Reads a binary (memory_free), or leaves it empty. Accepts only files that belong to `owner` or root. */
void kernel_file_read(const char *path, const kernel_id *id, uid_t owner, kernel_binary *binary);
/* Writes the file with this mode; makes missing folders. After a failure errno holds the reason. */
bool kernel_file_write(const char *path, const kernel_id *id, mode_t mode, const kernel_binary *binary);

/* ---- archives: many kernels in one file of a folder, found by their hashes ----
 * The file has "argand archive 1\n", the number of kernels, then one entry for each, in the order of the
 * hashes: the hash, the position and the packed bytes in the file, the unpacked bytes (8 bytes each,
 * little-endian). The packed kernels follow (zlib, which has a checksum). */
#define KERNEL_ARCHIVE_NAME "kernels.archive"

/* Reads a kernel of the folder's archive (memory_free), or leaves the binary empty. Accepts only a file that
 * belongs to `owner` or root. */
void kernel_archive_read(const char *folder, const kernel_id *id, uid_t owner, kernel_binary *binary);
/* Adds all kernel files of the folder to its archive, and removes the files. They replace kernels of the same
 * slot; other chips' kernels stay. The new archive gets its name when it is complete, and processes pack the
 * folder one after the other. */
argand_status kernel_archive_pack(const char *folder);
/* Fills folder, files, bytes and is_writable; an archive's kernels count as files. */
void kernel_folder_describe(argand_cache_info *info, const char *folder);

#endif
