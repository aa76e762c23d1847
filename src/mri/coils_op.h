/* SPDX-License-Identifier: BSD-3-Clause */
/* The coils' part of sensitivity encoding, for the operators that have one. */
#ifndef MRI_COILS_OP_H
#define MRI_COILS_OP_H

#include <argand/op.h>

/* y_c = S_c x, {image dims...} -> {image dims..., coils}: one launch each way. The maps are shared. */
argand_status coils_op(argand_op **op, const argand_array *maps);
/* Maps must be contiguous {image dims..., coils} as the transform's domain is; a transform of one coil may
 * lack the trailing dimension of 1. `who` begins the message. */
argand_status coils_check_maps(const char *who, const argand_shape *domain, const argand_array *maps);

#endif
