/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that a restricted child process decodes and sends through a pipe. A damaged file, or one that
 * exploits a decoder, crashes only the child. */
#ifndef IO_ISOLATED_ROWS_H
#define IO_ISOLATED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

typedef struct isolated_rows isolated_rows;

/* Work of the child: `next` writes the next row, `floats` elements, to `row`. */
typedef struct isolated_work {
    const char *path; /* for messages; the only file that the child may open */
    int descriptor;   /* of that file; stays open in the child */
    argand_status (*next)(void *user);
    void *user;
    float *row;
    size_t floats;
    uint64_t memory, seconds; /* limits of the child: bytes, processor time in s */
} isolated_work;

/* Returns true if a child can be started: not under sanitizers, which watch one process. */
bool isolated_rows_can(void);
/* Starts the child, which sees the caller's memory as it is now. work->row and path must outlive the rows. */
argand_status isolated_rows_begin(isolated_rows **rows, const isolated_work *work);
/* Puts the next row into work->row. ARGAND_FORMAT if the child crashed, ARGAND_STOPPED if it was stopped. */
argand_status isolated_rows_read(isolated_rows *rows);
/* Ends the child. NULL is allowed. */
void isolated_rows_end(isolated_rows *rows);

#endif
