/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens libraries at run time, and fills tables of function pointers by name. */
#ifndef DEVICE_LIBRARIES_FOREIGN_H
#define DEVICE_LIBRARIES_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct foreign_function {
    const char *symbol; /* NULL ends the list */
    size_t offset;      /* of the function's pointer in the table */
    bool needed;
} foreign_function;

/* Places to search in addition to the system's loader. */
typedef enum foreign_place {
    FOREIGN_DRIVER,  /* none: the library belongs to the kernel's module */
    FOREIGN_PACKAGE, /* pip's nvidia packages and conda, before the loader */
    FOREIGN_TOOLKIT, /* the same, and the CUDA toolkit's folder after the loader */
    FOREIGN_ROCM     /* the same, and ROCm's folder after the loader */
} foreign_place;

/* Opens the first of `names` (ended by NULL) that is already loaded or can be found, and fills the table.
 * After a failure, `why` holds the reason and the table is empty. The library stays open. */
bool foreign_open(const char *const *names, foreign_place place, const foreign_function *functions,
                  void *table, char *why, size_t why_size);

#endif
