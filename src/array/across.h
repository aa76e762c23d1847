/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves arrays to the device that computes with them. */
#ifndef ARRAY_ACROSS_H
#define ARRAY_ACROSS_H

#include "array/array.h"

/* Makes x available on a device: a view of x if x is there, otherwise a contiguous copy. The caller
 * destroys it. */
argand_status array_on_device(argand_array **out, const argand_array *x, argand_device *device);
/* Makes an array for results of x's shape: a view of x if x is on that device, otherwise a temporary array
 * of undefined contents, which argand_array_copy then copies to x. */
argand_status array_like_on_device(argand_array **out, const argand_array *x, argand_device *device);
/* y = x for arrays of two devices, through the host; allows all strides and types that argand_array_copy
 * allows. */
argand_status array_copy_across(argand_array *y, const argand_array *x);

#endif
