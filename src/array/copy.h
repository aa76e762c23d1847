/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies within a device, and between two, of which argand_array_copy consists. Both allow all strides and
 * types that it allows. */
#ifndef ARRAY_COPY_H
#define ARRAY_COPY_H

#include "array/array.h"

argand_status array_copy_within(argand_array *y, const argand_array *x);
argand_status array_copy_between_devices(argand_array *y, const argand_array *x); /* through the host */

/* Makes another handle of the same elements. */
argand_status array_same_view(argand_array **out, const argand_array *x);
/* Destroys the array after a failure; returns the status. */
argand_status array_or_nothing(argand_status status, argand_array **array);
/* Makes x available on a device: a view of x if x is there, otherwise a contiguous copy. The caller
 * destroys it. */
argand_status array_on_device(argand_array **out, const argand_array *x, argand_device *device);
/* Makes an array for results of x's shape: a view of x if x is on that device, otherwise a temporary array
 * of undefined contents, which argand_array_copy then copies to x. */
argand_status array_like_on_device(argand_array **out, const argand_array *x, argand_device *device);

#endif
