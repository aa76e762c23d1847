/* SPDX-License-Identifier: BSD-3-Clause */
/* A built kernel as a file. Its name is a hash of all that it was built from; it holds "argand kernel 1\n",
 * that hash, the length (8 bytes, little endian), a hash of the binary, the binary. It appears under its name
 * complete, by renaming, so that any number of processes may read and write. A file that is too short,
 * changed, of another name, or that others may write, is as if it were not there.
 */
#ifndef DEVICE_KERNEL_FILE_H
#define DEVICE_KERNEL_FILE_H

#include <sys/types.h>
#include "base/hash.h"
#include "device/backend.h"

typedef struct kernel_id {
    unsigned char hash[HASH_BYTES];
} kernel_id;

enum { KERNEL_FILE_PATH = 4096 };
#define KERNEL_FILE_ENDING ".bin"

/* folder/HASH.bin; false where that is too long. */
bool kernel_file_name(char path[KERNEL_FILE_PATH], const char *folder, const kernel_id *id);
/* All folders on the way to the file. */
void kernel_file_folders(const char *file, mode_t mode);

/* Fills binary (memory_free), or leaves it empty. owner: whose files are run, besides root's. */
void kernel_file_read(const char *path, const kernel_id *id, uid_t owner, kernel_binary *binary);
/* With folders where there are none: for those who may read the file. errno says why it failed. */
bool kernel_file_write(const char *path, const kernel_id *id, mode_t mode, const kernel_binary *binary);

/* Fills folder, files, bytes and is_writable. */
void kernel_folder_describe(argand_cache_info *info, const char *folder);

#endif
