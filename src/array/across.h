/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays where they are wanted: on the device that computes with them. */
#ifndef ARRAY_ACROSS_H
#define ARRAY_ACROSS_H

#include "array/array.h"

/* x on that device: a view of x where it is there already, else a contiguous copy. To be destroyed. */
argand_status array_on_device(argand_array **out, const argand_array *x, argand_device *device);
/* A place for results of x's shape: a view of x where x is on that device, else a new one of
 * undefined contents for the time of a call, which argand_array_copy takes to x afterwards. */
argand_status array_like_on_device(argand_array **out, const argand_array *x, argand_device *device);
/* y = x for arrays of two devices, through the host; strides and types as argand_array_copy allows. */
argand_status array_copy_across(argand_array *y, const argand_array *x);

#endif
