/* SPDX-License-Identifier: BSD-3-Clause */
/* Example scans: public files with their checksums, and scans that are simulated in their place. */
#ifndef CLI_FETCH_H
#define CLI_FETCH_H

#include "common/report.h"

enum { EXAMPLE_MIRRORS = 2, EXAMPLE_WORDS = 12 };

typedef struct example {
    const char *name, *file, *what; /* file: default name of the output */
    const char *licence, *source;   /* NULL: simulated */
    size_t size;                    /* bytes */
    const char *sha256;
    const char *mirrors[EXAMPLE_MIRRORS]; /* https addresses of the same bytes */
    const char *simulate[EXAMPLE_WORDS];  /* options for `argand simulate OUT`, then NULL */
} example;

/* Downloads the bytes at an address by curl or wget, at most `most`, into malloc'ed memory. Returns
 * ARGAND_FILE with the programs tried if nothing arrived. */
argand_status fetch_download(unsigned char **bytes, size_t *count, const char *address, size_t most);

#endif
