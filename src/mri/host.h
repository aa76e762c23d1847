/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversion between arrays of any type and doubles on the host, and checks of arguments for this folder. */
#ifndef MRI_HOST_H
#define MRI_HOST_H

#include <argand/array.h>
#include "array/array.h"
#include "base/memory.h"

/* Reads the elements in order as doubles, two for each complex element; free them with memory_free(). */
argand_status host_read(double **values, const argand_array *array);
/* Writes one double per element (imaginary parts become 0), or two per complex element. */
argand_status host_write_real(argand_array *array, const double *values);
argand_status host_write_complex(argand_array *array, const double *values);

/* Elements of an array in host memory: the array's own memory if it is contiguous on a host device,
 * otherwise a copy. */
typedef struct host_view {
    void *data;
    bool copied;
} host_view;
argand_status host_open(host_view *view, const argand_array *array);     /* with the elements of the array */
argand_status host_open_new(host_view *view, const argand_array *array); /* for writing; contents undefined */
argand_status host_put(const host_view *view, argand_array *array); /* copies what was written to the array */
void host_close(host_view *view);                                   /* does nothing for a zeroed view */

static inline argand_type type_of(bool is_complex, bool is_double)
{
    return is_complex ? (is_double ? ARGAND_C64 : ARGAND_C32) : (is_double ? ARGAND_R64 : ARGAND_R32);
}

/* Returns the coordinate of pixel n among `count` pixels in fields of view, in [-1/2, 1/2). */
static inline double pixel_centre(int64_t n, int64_t count)
{
    return (double)(n - count / 2) / (double)count;
}

#endif
