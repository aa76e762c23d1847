/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfer between the numbers of a file and an array on a device. */
#ifndef IO_TRANSFER_H
#define IO_TRANSFER_H

#include "io/arrays/numbers.h"
#include "io/arrays/source.h"

/* How an array lies in a file: a value is slope times the number plus intercept. */
typedef struct file_array {
    number_format format;
    int rank;
    const int64_t *dims;
    double slope, intercept;
} file_array;

/* Reads the next numbers of a file into a new array. Sizes are checked against the file before memory is
 * allocated. */
argand_status transfer_in(argand_array **array, source *in, argand_device *device, const file_array *a);

/* Copies the numbers of an array to contiguous host memory in the array's type; free them with
 * memory_free. */
argand_status transfer_out(void **numbers, const argand_array *array);

bool transfer_is_complex(const argand_array *array);
bool transfer_is_double(const argand_array *array);
/* Returns the number of floats or doubles: two for each complex number. */
size_t transfer_parts(const argand_array *array);

#endif
