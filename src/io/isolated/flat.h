/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan as one block of bytes, with offsets for pointers: the process that reads a file hands it over.
 * The receiver checks everything, because a malicious file may control the process that wrote the block. */
#ifndef IO_SCAN_FLAT_H
#define IO_SCAN_FLAT_H

#include <argand/io.h>

typedef struct scan_flat_head {
    uint64_t finished; /* SCAN_FLAT_FINISHED once all is written */
    uint64_t bytes;    /* size of the block */
    int32_t status;    /* argand_status of the reading; the rest is valid only if it is 0 */
    char message[4096];
    argand_scan scan;
} scan_flat_head;

#define SCAN_FLAT_FINISHED UINT64_C(0x6172676e64736376)

/* Returns the size in bytes of a scan's block. */
size_t scan_flat_size(const argand_scan *scan);
/* Writes the scan into a block of that size. */
void scan_flat_write(char *block, const argand_scan *scan);
/* Checks the block and returns a scan that uses it. argand_scan_destroy unmaps the block; after an error
 * the caller does. Returns ARGAND_FORMAT if the block is inconsistent. */
argand_status scan_flat_take(argand_scan **scan, char *block, size_t bytes, const char *path);

#endif
