/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars that stay on the device between operations, so that solvers need not wait for each of them: an
 * array of `count` reals of the device's widest type. */
#ifndef ARRAY_SCALARS_H
#define ARRAY_SCALARS_H

#include <argand/array.h>
#include "base/status.h"
#include "device/device.h"

argand_status scalars_create(argand_array **numbers, argand_device *device, int count); /* zeros */
/* Sets numbers[at] = factor Re sum conj(x) y, or adds it with `add`. Reproducible bit for bit. */
argand_status scalars_dot(argand_array *numbers, int at, double factor, const argand_array *x,
                          const argand_array *y, bool add);
/* Sets numbers[at] to numbers[at + 3] = <r, r>, Re <x, b>, Re <x, r>, <x, x> of contiguous arrays of one
 * shape and type, in two launches. */
argand_status scalars_four_dots(argand_array *numbers, int at, const argand_array *r, const argand_array *x,
                                const argand_array *b);
/* scalars_dot for partial sums partial[2 * group] that a kernel of `groups` groups has written. */
argand_status scalars_collect(argand_array *numbers, int at, double factor, storage *partial, int64_t groups,
                              bool add);
/* Sets numbers[at + i], i < count, to the sums of partial[2 (i groups + group)]. */
argand_status scalars_collect_many(argand_array *numbers, int at, int count, storage *partial,
                                   int64_t groups);
/* y += a (numbers[above] / numbers[below]) x. Does nothing if numbers[below] is not positive or the ratio
 * is not finite. */
argand_status scalars_add_ratio(argand_array *y, double a, const argand_array *numbers, int above, int below,
                                const argand_array *x);
/* y = x + (numbers[above] / numbers[below]) y, with the same exception. */
argand_status scalars_scale_ratio(argand_array *y, const argand_array *numbers, int above, int below,
                                  const argand_array *x);
/* Downloads all numbers. Of these functions, this one alone waits for the device. */
argand_status scalars_read(double *values, const argand_array *numbers);

#endif
