/* SPDX-License-Identifier: BSD-3-Clause */
/* Example scans: public files with their checksums, and scans that are simulated in their place. */
#ifndef CLI_FETCH_H
#define CLI_FETCH_H

#include "common/report.h"

enum { EXAMPLE_MIRRORS = 2, EXAMPLE_WORDS = 12 };

typedef struct example {
    const char *name, *file, *what; /* file: the name that it gets if none is given */
    const char *licence, *source;   /* NULL: it is simulated */
    size_t size;                    /* bytes */
    const char *sha256;
    const char *mirrors[EXAMPLE_MIRRORS]; /* https addresses of the same bytes */
    const char *simulate[EXAMPLE_WORDS];  /* words behind `argand simulate OUT`, then NULL */
} example;

/* The bytes at an address, by curl or wget, whichever there is: at most `most`, malloc'ed. ARGAND_FILE where
 * nothing came, with what was tried. */
argand_status fetch_download(unsigned char **bytes, size_t *count, const char *address, size_t most);

#endif
