/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an archive of kernels (kernel_file.h has its format), for the files that read and make one. */
#ifndef DEVICE_KERNEL_ARCHIVE_H
#define DEVICE_KERNEL_ARCHIVE_H

#include "device/kernel_file.h"

#define ARCHIVE_MAGIC "argand archive 1\n"
enum {
    ARCHIVE_MAGIC_BYTES = sizeof ARCHIVE_MAGIC - 1,
    ARCHIVE_HEAD_BYTES = ARCHIVE_MAGIC_BYTES + 8,
    ARCHIVE_NUMBER_BYTES = 8,
    ARCHIVE_ENTRY_BYTES = HASH_BYTES + 3 * ARCHIVE_NUMBER_BYTES
};

typedef struct archive_entry {
    kernel_id id;
    uint64_t at, packed, bytes; /* position and size in the file, size of the kernel */
    unsigned char *contents;    /* packed; only while an archive is made */
    bool is_earlier;            /* from the archive that is replaced; only while an archive is made */
} archive_entry;

/* An open archive: its descriptor (-1: none), its size and the number of its kernels. */
typedef struct archive {
    int file;
    size_t size;
    uint64_t count;
} archive;

bool archive_read_at(const archive *a, uint64_t at, unsigned char *bytes, size_t count);
/* Opens the archive of a folder. Returns false if there is none, or none of this format. */
bool archive_open(archive *a, const char *folder, uid_t owner);
bool archive_read_entry(const archive *a, uint64_t index, archive_entry *e);
/* Returns false for sizes that the file cannot have. */
bool archive_can_hold(const archive *a, const archive_entry *e);
/* Unpacks a kernel. Damaged bytes count as a missing kernel: the binary is empty. */
argand_status archive_unpack(const archive_entry *e, const unsigned char *packed, kernel_binary *binary);

#endif
