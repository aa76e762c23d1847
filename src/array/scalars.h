/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars that remain on the device between operations, for solvers that must not wait for each of them: an
 * array of `count` reals in the widest type that the device adds in. */
#ifndef ARRAY_SCALARS_H
#define ARRAY_SCALARS_H

#include <argand/array.h>
#include "base/status.h"
#include "device/device.h"

argand_status scalars_create(argand_array **numbers, argand_device *device, int count); /* zeros */
/* numbers[at] = factor Re sum conj(x) y, or += with `add`. The same bits whenever it is repeated. */
argand_status scalars_dot(argand_array *numbers, int at, double factor, const argand_array *x,
                          const argand_array *y, bool add);
/* The same of what a kernel of `groups` groups left in partial[2 * group]. */
argand_status scalars_collect(argand_array *numbers, int at, double factor, storage *partial, int64_t groups,
                              bool add);
/* numbers[at + i], i < count, from partial[2 (i groups + group)]. */
argand_status scalars_collect_many(argand_array *numbers, int at, int count, storage *partial,
                                   int64_t groups);
/* y += a (numbers[above] / numbers[below]) x; nothing where numbers[below] is not positive, or the ratio not
 * finite. */
argand_status scalars_add_ratio(argand_array *y, double a, const argand_array *numbers, int above, int below,
                                const argand_array *x);
/* y = x + (numbers[above] / numbers[below]) y, with the same exception. */
argand_status scalars_scale_ratio(argand_array *y, const argand_array *numbers, int above, int below,
                                  const argand_array *x);
/* All of them on the host, by one download: the one place where these functions wait for the device. */
argand_status scalars_read(double *values, const argand_array *numbers);

#endif
