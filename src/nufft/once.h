/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of a call that has everything in it: the caller's memory, of any type of NUFFT. */
#ifndef NUFFT_ONCE_H
#define NUFFT_ONCE_H

#include <argand/nufft.h>

typedef struct once_arrays {
    argand_array *k[3], *other[3]; /* positions of one set of points, or of two */
    argand_array *in, *out;
} once_arrays;

/* Checks what such calls share: the device, that the host addresses its memory, and numbers of vectors. name:
 * the caller's, for messages. */
argand_status once_check(const char *name, argand_device *device, const void *options, const void *out,
                         const void *in, int64_t vectors);
/* Wraps positions; what: their name, for messages. */
argand_status once_wrap_points(argand_array *k[3], argand_device *device, const char *name, const char *what,
                               const argand_nufft_points *points, int rank);
void once_destroy(once_arrays *arrays);

#endif
