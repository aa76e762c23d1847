/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the numbers of a file and an array on a device. */
#ifndef IO_TRANSFER_H
#define IO_TRANSFER_H

#include "io/arrays/numbers.h"
#include "io/arrays/source.h"

/* Reads the numbers that come next into a new array. The sizes are checked against the file before memory is
 * taken. */
argand_status transfer_in(argand_array **array, source *in, argand_device *device, number_format format,
                          int rank, const int64_t *dims, double slope, double intercept);

/* The array's numbers in host memory, contiguous, of its own type; memory_free them. */
argand_status transfer_out(void **numbers, const argand_array *array);

bool transfer_is_complex(const argand_array *array);
bool transfer_is_double(const argand_array *array);
/* Floats or doubles in all: two for each complex number. */
size_t transfer_parts(const argand_array *array);

#endif
