/* SPDX-License-Identifier: BSD-3-Clause */
/* From array operands to the layout that kernels take. */
#ifndef ARRAY_LAYOUT_H
#define ARRAY_LAYOUT_H

#include "array/array.h"
#include "kernels/params.h"

/* Checks that the operands (the first `operands` of x, at most 3) have one shape, device and precision, and
 * fills the layout; operand i is x[i], starting from slot `slot` of the layout. Sets *groups. */
argand_status layout_make(struct kernel_layout *at, int64_t *groups, const char *who, int slot, int operands,
                          const argand_array *const *x);

/* The same of any types, storage types and precisions. */
argand_status layout_make_any(struct kernel_layout *at, int64_t *groups, const char *who, int slot,
                              int operands, const argand_array *const *x);

/* Deals the rows of a layout that has its lengths to groups, and returns how many these are; x: an operand.
 */
int64_t layout_deal(struct kernel_layout *at, const argand_array *x);

/* A scalar as kernels of either precision take it. */
struct kernel_scalar layout_scalar(double re, double im);

#endif
