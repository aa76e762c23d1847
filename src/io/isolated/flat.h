/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan as one block of bytes, in which places stand for pointers: what the process that reads a file hands
 * over. Who takes it believes nothing of it: whoever wrote it may have been led astray by the file. */
#ifndef IO_SCAN_FLAT_H
#define IO_SCAN_FLAT_H

#include <argand/io.h>

typedef struct scan_flat_head {
    uint64_t finished; /* SCAN_FLAT_FINISHED once all is written */
    uint64_t bytes;    /* of the block */
    int32_t status;    /* argand_status of the reading; the rest holds only where it is 0 */
    char message[4096];
    argand_scan scan;
} scan_flat_head;

#define SCAN_FLAT_FINISHED UINT64_C(0x6172676e64736376)

/* How long the block of a scan is. */
size_t scan_flat_size(const argand_scan *scan);
/* Into a block of that size. */
void scan_flat_write(char *block, const argand_scan *scan);
/* A scan over the block, which argand_scan_destroy unmaps, or, after a failure, the caller. ARGAND_FORMAT
 * where the block makes no sense. */
argand_status scan_flat_take(argand_scan **scan, char *block, size_t bytes, const char *path);

#endif
