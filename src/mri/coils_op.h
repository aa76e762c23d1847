/* SPDX-License-Identifier: BSD-3-Clause */
/* The multiplication by coil maps, for operators that include it. */
#ifndef MRI_COILS_OP_H
#define MRI_COILS_OP_H

#include <argand/op.h>

/* Makes the operator y_c = S_c x, {image dims...} -> {image dims..., coils}, with one launch in each
 * direction. The maps are shared. */
argand_status coils_op(argand_op **op, const argand_array *maps);
/* Checks that maps are contiguous {image dims..., coils} as the domain of the transform. With one coil the
 * trailing dimension of 1 may be missing. `who` begins the message. */
argand_status coils_check_maps(const char *who, const argand_shape *domain, const argand_array *maps);

#endif
