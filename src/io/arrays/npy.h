/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's .npy files. */
#ifndef IO_NPY_H
#define IO_NPY_H

#include <argand/array.h>

/* Reads an array. Integers and bool become float. C order: the last axis becomes the first dimension.
 * Fortran order: the array is transposed, so that indices mean the same. */
argand_status npy_read(argand_array **array, const char *path, argand_device *device);
/* Writes version 1 in C order, with the array's precision and this machine's byte order. */
argand_status npy_write(const char *path, const argand_array *array);

#endif
