/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes shapes in the order in which other programs show the same file: (3, 20, 24), the slowest axis
 * first, for .npy (NumPy) and arrays of HDF5 files (h5py); {24, 20, 3}, the fastest first, for .cfl (BART)
 * and NIfTI. */
#ifndef CLI_FILES_SHAPE_H
#define CLI_FILES_SHAPE_H

#include <argand/array.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns true for files whose shapes begin with the slowest axis: .npy, and SCAN.h5:NAME. */
bool shape_is_slowest_first(const char *path);
/* Writes "(3, 20, 24)" or "{24, 20, 3}"; dims begin with the fastest. Both return `text`. */
const char *shape_text(char *text, size_t size, const char *path, int rank, const int64_t *dims);
const char *shape_of_array(char *text, size_t size, const char *path, const argand_array *array);
/* Returns text that says which axis of a shape of this file is the fastest; "" for fewer than two. */
const char *shape_order(const char *path, int rank);
/* Returns an explanation for a message with shapes of both files, if their orders differ; else "". */
const char *shape_orders_differ(const char *path, const char *other);
/* Writes the members "dims":[24,20,3],"shape":[3,20,24] of a JSON object: dims begin with the fastest axis
 * for every file, shape has the file's own order. */
const char *shape_json(char *text, size_t size, const char *path, const argand_array *array);

#endif
