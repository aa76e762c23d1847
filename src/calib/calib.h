/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions shared by the files of this folder. */
#ifndef CALIB_CALIB_H
#define CALIB_CALIB_H

#include <argand/calib.h>
#include "array/array.h"
#include "base/memory.h"

/* Reads the shape {nx, ny[, nz], coils} of a complex array; n[2] is 1 for rank 3. `what` begins the
 * message. */
argand_status calib_coil_shape(const argand_array *array, const char *what, int64_t n[3], int64_t *coils);

/* Reads the shape {dims..., coils} of a complex array of rank 1 or more: the elements per coil, and the
 * coils. */
argand_status calib_rows(const argand_array *array, const char *what, int64_t *samples, int64_t *coils);

/* Computes sums[a * coils + b] = sum_i data[i, a] conj(data[i, b]) as pairs of doubles, row-major, over
 * elements first, first + step, ... per coil. Sums are formed in blocks of fixed length. */
void calib_covariance(double *sums, const void *data, bool is_double, int64_t samples, int64_t coils,
                      int64_t first, int64_t step, int threads);

/* Refuses arrays with NaN or infinite elements; `what` names the array in the message. */
argand_status calib_check_finite(const argand_array *array, const char *what);

#endif
