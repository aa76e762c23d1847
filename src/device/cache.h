/* SPDX-License-Identifier: BSD-3-Clause */
/* Built kernels on disk. A cache is never a reason to fail: what cannot be read is built again, what cannot
 * be written is built again next time.
 *
 * The folder is $ARGAND_CACHE ("off": none), else $XDG_CACHE_HOME/argand, else ~/.cache/argand, made with
 * mode 0700 because what is in it is run. A file is named by the hash of all that its binary depends on, and
 * holds "argand kernel 1\n", that hash, the length (8 bytes, little endian), a hash of the binary, the
 * binary. It appears under its name complete, by renaming, so that any number of processes may read and
 * write. A file that is too short, changed, of another name, or of another user is as if it were not there.
 */
#ifndef DEVICE_CACHE_H
#define DEVICE_CACHE_H

#include "base/hash.h"
#include "device/device.h"

/* The name of a kernel's binary: everything that it depends on, hashed. */
typedef struct cache_key {
    unsigned char hash[HASH_BYTES];
} cache_key;
void cache_key_make(cache_key *key, argand_device *device, const kernel_source *source);

/* Whether there is to be a cache, and where; for others that keep files below it. */
enum { CACHE_PATH = 4096 };
bool cache_folder(char folder[CACHE_PATH]);
/* All folders on the way to the file. */
void cache_make_folders(const char *file);

/* Fills binary (memory_free), or leaves it empty; says that it is unwanted where there is no cache. */
void cache_load(const cache_key *key, kernel_binary *binary);
void cache_store(const cache_key *key, const kernel_binary *binary);

#endif
