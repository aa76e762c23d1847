/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's .npy files. */
#ifndef IO_NPY_H
#define IO_NPY_H

#include <argand/array.h>

/* Integers and bool become float. C order: the last axis is the first dimension here; Fortran order: as it
 * stands. */
argand_status npy_read(argand_array **array, const char *path, argand_device *device);
/* Version 1, C order, the array's own precision, this machine's byte order. */
argand_status npy_write(const char *path, const argand_array *array);

#endif
