/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers made on the host in double and put into an array of any type, and what the functions of this layer
 * ask of their arguments. */
#ifndef MRI_HOST_H
#define MRI_HOST_H

#include <argand/array.h>
#include "array/array.h"
#include "base/memory.h"

/* The array's elements in order as doubles, two for each complex one; memory_free() them. */
argand_status host_read(double **values, const argand_array *array);
/* The other way: one double per element (the imaginary parts become 0), or two per element of a complex
 * array. */
argand_status host_write_real(argand_array *array, const double *values);
argand_status host_write_complex(argand_array *array, const double *values);

/* An array's elements where C can reach them: its own memory on a host device where it is contiguous, else a
 * copy. */
typedef struct host_view {
    void *data;
    bool copied;
} host_view;
argand_status host_open(host_view *view, const argand_array *array); /* with the array's elements */
argand_status host_open_new(host_view *view,
                            const argand_array *array);             /* to be written: contents undefined */
argand_status host_put(const host_view *view, argand_array *array); /* what was written goes to the array */
void host_close(host_view *view);                                   /* harmless on a zeroed view */

static inline argand_type type_of(bool is_complex, bool is_double)
{
    return is_complex ? (is_double ? ARGAND_C64 : ARGAND_C32) : (is_double ? ARGAND_R64 : ARGAND_R32);
}

/* The coordinate of pixel n among N, in fields of view: [-1/2, 1/2). */
static inline double pixel_centre(int64_t n, int64_t count)
{
    return (double)(n - count / 2) / (double)count;
}

#endif
