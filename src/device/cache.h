/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled kernels of this user, on disk. A cache never causes an error: a file that cannot be read is
 * compiled again, and one that cannot be written is compiled again next time.
 *
 * The folder is $ARGAND_CACHE ("off": none), else $XDG_CACHE_HOME/argand, else ~/.cache/argand. It is made
 * with mode 0700 because its contents are executed. The name of a file (kernel_file.h) depends on all that
 * determines the binary: text, target and compiler, and the driver where the driver compiles. */
#ifndef DEVICE_CACHE_H
#define DEVICE_CACHE_H

#include "device/device.h"
#include "device/kernel_file.h"

void cache_identify(kernel_id *id, argand_device *device, const kernel_source *source);

/* Finds the folder of the cache; false: no cache. Other files may be kept below this folder. */
enum { CACHE_PATH = KERNEL_FILE_PATH };
bool cache_folder(char folder[CACHE_PATH]);
/* Makes all folders on the path to the file. */
void cache_make_folders(const char *file);

/* Reads a binary (memory_free), or leaves it empty. Without a cache, sets binary->unwanted. */
void cache_load(const kernel_id *id, kernel_binary *binary);
void cache_store(const kernel_id *id, const kernel_binary *binary);

#endif
