/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts array operands to the layout that kernels take. */
#ifndef ARRAY_LAYOUT_H
#define ARRAY_LAYOUT_H

#include "array/array.h"
#include "kernels/params.h"

/* Checks that the operands x[0] to x[operands - 1] (at most 3) have one shape, device and precision; fills
 * the layout from slot `slot` on and sets *groups. */
argand_status layout_make(struct kernel_layout *at, int64_t *groups, const char *who, int slot, int operands,
                          const argand_array *const *x);

/* The same for any types, storage types and precisions. */
argand_status layout_make_any(struct kernel_layout *at, int64_t *groups, const char *who, int slot,
                              int operands, const argand_array *const *x);

/* Assigns the rows of a layout to work groups; returns the number of groups. x: an operand. */
int64_t layout_deal(struct kernel_layout *at, const argand_array *x);

/* Returns a scalar in the form that kernels of either precision take. */
struct kernel_scalar layout_scalar(double re, double im);

#endif
