/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that this user built, on disk. A cache is never a reason to fail: what cannot be read is built
 * again, what cannot be written is built again next time.
 *
 * The folder is $ARGAND_CACHE ("off": none), else $XDG_CACHE_HOME/argand, else ~/.cache/argand, made with
 * mode 0700 because what is in it is run. A file (kernel_file.h) is named by all that its binary depends on:
 * the text, the device, its driver, its compiler.
 */
#ifndef DEVICE_CACHE_H
#define DEVICE_CACHE_H

#include "device/device.h"
#include "device/kernel_file.h"

void cache_identify(kernel_id *id, argand_device *device, const kernel_source *source);

/* Whether there is to be a cache, and where; for others that keep files below it. */
enum { CACHE_PATH = KERNEL_FILE_PATH };
bool cache_folder(char folder[CACHE_PATH]);
/* All folders on the way to the file. */
void cache_make_folders(const char *file);

/* Fills binary (memory_free), or leaves it empty; says that it is unwanted where there is no cache. */
void cache_load(const kernel_id *id, kernel_binary *binary);
void cache_store(const kernel_id *id, const kernel_binary *binary);

#endif
