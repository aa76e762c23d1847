/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are opened when the program runs: a table of function pointers is filled by name. */
#ifndef DEVICE_FOREIGN_H
#define DEVICE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct foreign_function {
    const char *symbol; /* NULL ends the list */
    size_t offset;      /* of its pointer in the table */
    bool needed;
} foreign_function;

/* Opens the first of `names` (NULL-ended) that is there, by the loader's rules and then in `folders`
 * (NULL-ended, or NULL), and fills the table. Where that fails, says why and leaves the table empty. The
 * library is left open. */
bool foreign_open(const char *const *names, const char *const *folders, const foreign_function *functions,
                  void *table, char *why, size_t why_size);

#endif
