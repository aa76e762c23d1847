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

/* Where a library may come from besides the system's loader. */
typedef enum foreign_place {
    FOREIGN_DRIVER,  /* from nowhere: it belongs to the kernel's module */
    FOREIGN_PACKAGE, /* from pip's nvidia packages and conda, which go before the loader */
    FOREIGN_TOOLKIT  /* from these, and behind the loader from the CUDA toolkit's folder */
} foreign_place;

/* Opens the first of `names` (NULL-ended) that is loaded already, or else is found, and fills the table.
 * Where that fails, says why and leaves the table empty. The library is left open. */
bool foreign_open(const char *const *names, foreign_place place, const foreign_function *functions,
                  void *table, char *why, size_t why_size);

#endif
